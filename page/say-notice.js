import { element } from './element.js'

const notice = element('notice', HTMLElement)
/** What the payer has read. */
let said = [...notice.children].map(({ textContent }) => textContent).join('\n')

/** Whatever is said after this is news, be it the same. */
export function hideNotice() {
  said = ''
  notice.hidden = true
}

/**
 * Shows these paragraphs. News are brought into sight and have the focus, unless the payer is typing.
 *
 * @param {string[]} paragraphs
 * @param {boolean} isAnswer whether the payer has asked for something and waits
 */
export function sayNotice(paragraphs, isAnswer) {
  const text = paragraphs.join('\n')
  notice.hidden = text === ''
  if (text === said) return
  said = text
  notice.replaceChildren(...paragraphs.map(paragraph))
  const isTyping = document.activeElement instanceof HTMLInputElement
  if (text === '' || (isTyping && !isAnswer)) return
  notice.scrollIntoView({ block: 'nearest' })
  notice.focus({ preventScroll: true })
}

/** @param {string} text */
function paragraph(text) {
  const one = document.createElement('p')
  one.textContent = text
  return one
}
