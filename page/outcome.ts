import { announcePolitely } from './announce.ts'
import { element } from './element.ts'
import { isFramed, mayFocus, scrollParentTo } from './parent.ts'
import type { PageState } from './rules/page-state.ts'

const outcome = element('outcome', HTMLElement)
const heading = element('outcome-title', HTMLElement)
const receipt = element('receipt', HTMLElement)
const back = element('return', HTMLAnchorElement)
const copy = element('copy-id', HTMLButtonElement)

const copiedForMs = 2_000

/** Calls `onUse` when the payer touches the outcome or presses a key, which means that they want to stay. */
export function mountOutcome(onUse: () => void): void {
  // The shop's page must not open inside its own frame.
  if (isFramed) back.target = '_top'
  copy.addEventListener('click', () => void copyId())
  element('print', HTMLButtonElement).addEventListener('click', () => window.print())
  outcome.addEventListener('click', onUse)
  document.addEventListener('keydown', onUse)
}

/**
 * Shows or hides the text about returning to the shop. Its space stays, so that the button below does not
 * move.
 */
export function showLeaving(isLeaving: boolean): void {
  element('leaving', HTMLElement).classList.toggle('said', isLeaving)
}

/** Shows the outcome of the payment. */
export function showOutcome({
  view,
  isReleased,
  title,
  text,
  receipt: lines,
  returnUrl,
  leaves,
}: PageState): void {
  outcome.dataset['view'] = view
  outcome.toggleAttribute('data-released', isReleased)
  outcome.hidden = view === 'form'
  heading.textContent = title
  element('outcome-text', HTMLElement).textContent = text
  const hasReceipt = lines.length > 0
  receipt.replaceChildren(...lines.map(rowOf))
  receipt.hidden = !hasReceipt
  element('receipt-actions', HTMLElement).hidden = !hasReceipt
  element('transaction', HTMLElement).hidden = hasReceipt
  element('leaving', HTMLElement).hidden = !leaves
  back.hidden = returnUrl === null
  if (returnUrl !== null) back.href = returnUrl
}

export function focusOutcome(): void {
  if (outcome.hidden) return
  scrollParentTo(outcome)
  if (mayFocus()) heading.focus()
}

function rowOf({ name, label, value }: PageState['receipt'][number]): HTMLElement {
  const line = document.createElement('div')
  line.dataset['line'] = name
  const [term, definition] = [document.createElement('dt'), document.createElement('dd')]
  term.textContent = label
  definition.textContent = value
  line.append(term, definition)
  return line
}

async function copyId(): Promise<void> {
  const label = copy.dataset['label'] ?? copy.textContent ?? ''
  copy.dataset['label'] = label
  const { id = '', done = '' } = copy.dataset
  if (!(await isCopied(id))) return
  // The fixed width keeps neighbours in place when the text gets shorter.
  copy.style.minWidth = `${copy.offsetWidth}px`
  copy.textContent = done
  announcePolitely(done)
  setTimeout(() => {
    copy.textContent = label
    announcePolitely('')
  }, copiedForMs)
}

/** Copies the text. A page on plain http has no clipboard, so it selects and copies as a person would. */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'unseen'
    document.body.append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    copy.focus()
    return isDone
  }
}
