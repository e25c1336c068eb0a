import { element } from './element.ts'
import { mayFocus, scrollParentTo } from './parent.ts'

const notice = element('notice', HTMLElement)
/** Text that the payer has already seen. */
let shownText = [...notice.children].map(({ textContent }) => textContent).join('\n')

/**
 * Urgency of a notice: `answer` moves the focus of a waiting payer, `news` only that of a payer who is not
 * typing, `aside` never moves it.
 */
export type Urgency = 'answer' | 'news' | 'aside'

/** Makes the next text count as new, even if it is equal. */
export function forgetNotice(): void {
  shownText = ''
}

export function hideNotice(): void {
  forgetNotice()
  notice.hidden = true
}

/** Shows these paragraphs in the colours of a warning or of a decline. Returns true if they are new. */
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
 * Scrolls to the notice and focuses it, unless the payer is typing without waiting for an answer, or is
 * working in the page around this one.
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
