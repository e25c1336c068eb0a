import { element } from './element.ts'
import { withSessionStorage } from './storage.ts'

/** Beside what is kept of the payer, for the page's own address. */
const mark = `${window.location.pathname}#card`

/** A card is kept nowhere, so whoever has typed one and then chooses another language has to type it again. */
export function mountLanguageLinks(hasCard: () => boolean): void {
  element('languages', HTMLElement).addEventListener('click', () => {
    if (hasCard()) withSessionStorage((storage) => storage.setItem(mark, 'typed'))
  })
}

/** Whether that has just happened, which is told once. */
export function mustRetypeCard(): boolean {
  const isTyped = withSessionStorage((storage) => storage.getItem(mark)) === 'typed'
  withSessionStorage((storage) => storage.removeItem(mark))
  return isTyped
}
