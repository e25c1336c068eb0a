import { element } from './element.ts'
import { inStorage } from './storage.ts'

/** Beside what is kept of the payer, for the page's own address. */
const mark = `${window.location.pathname}#card`

/** A card is kept nowhere, so whoever has typed one and then chooses another language has to type it again. */
export function mountLanguages(hasCard: () => boolean): void {
  element('languages', HTMLElement).addEventListener('click', () => {
    if (hasCard()) inStorage((storage) => storage.setItem(mark, 'typed'))
  })
}

/** Whether that has just happened, which is told once. */
export function isCardToType(): boolean {
  const isTyped = inStorage((storage) => storage.getItem(mark)) === 'typed'
  inStorage((storage) => storage.removeItem(mark))
  return isTyped
}
