import { element } from './element.ts'
import { mayFocus, scrollParentTo } from './parent.ts'

const notice = element('notice', HTMLElement)
/** What the payer has read. */
let shownText = [...notice.children].map(({ textContent }) => textContent).join('\n')

/** Whom news are brought to: who waits for an answer, who is not typing, or who happens to look there. */
export type Urgency = 'answer' | 'news' | 'aside'

/** Whatever is said after this is news, be it the same. */
export function forgetNotice(): void {
  shownText = ''
}

export function hideNotice(): void {
  forgetNotice()
  notice.hidden = true
}

/** Shows these paragraphs, in the colours of a refusal or of what is only to be known. Answers whether they are new. */
export function showNotice(paragraphs: readonly string[], tone: 'warning' | 'danger'): boolean {
  const text = paragraphs.join('\n')
  notice.dataset['tone'] = tone
  notice.hidden = text === ''
  if (text === shownText) return false
  shownText = text
  notice.replaceChildren(...paragraphs.map(paragraph))
  return text !== ''
}

/**
 * Brings the notice into sight and gives it the focus, unless the payer is typing and has not asked for an answer, or does
 * something in the page around this one.
 */
export function focusNotice(urgency: Urgency): void {
  const isElsewhere = document.activeElement instanceof HTMLInputElement || !mayFocus()
  if (urgency === 'aside' || (isElsewhere && urgency === 'news')) return
  scrollParentTo(notice)
  if (!mayFocus()) return
  notice.scrollIntoView({ block: 'nearest' })
  notice.focus({ preventScroll: true })
}

function paragraph(text: string): HTMLElement {
  const one = document.createElement('p')
  one.textContent = text
  return one
}
