import { element } from './element.ts'
import { withSessionStorage } from './storage.ts'

/** Session storage key of this page, next to the key of the payer's details. */
const mark = `${window.location.pathname}#card`

/**
 * Records that a card was typed before the language changes. The card itself is not stored, so the payer must
 * type it again.
 */
export function mountLanguageLinks(hasCard: () => boolean): void {
  element('languages', HTMLElement).addEventListener('click', () => {
    if (hasCard()) withSessionStorage((storage) => storage.setItem(mark, 'typed'))
  })
}

/** True once after a language change that cleared a typed card. */
export function mustRetypeCard(): boolean {
  const isTyped = withSessionStorage((storage) => storage.getItem(mark)) === 'typed'
  withSessionStorage((storage) => storage.removeItem(mark))
  return isTyped
}
