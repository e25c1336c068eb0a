const politely = region('status')
const atOnce = region('alert')

/** Lets a screen reader read the text at its next pause. The text is invisible. */
export function announcePolitely(text: string): void {
  politely.textContent = text
}

/** Lets a screen reader read the text now. A repeated text is read again. */
export function announceAssertively(text: string): void {
  atOnce.replaceChildren()
  atOnce.append(text)
}

/** Live regions must exist before their text changes. */
function region(role: string): HTMLElement {
  const one = document.createElement('p')
  one.className = 'unseen'
  one.setAttribute('role', role)
  document.querySelector('main')?.append(one)
  return one
}
