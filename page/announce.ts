const politely = region('status')
const atOnce = region('alert')

/** Has it read out when there is a pause; nobody sees it. */
export function announcePolitely(text: string): void {
  politely.textContent = text
}

/** Has it read out now. The same again is said again. */
export function announceAssertively(text: string): void {
  atOnce.replaceChildren()
  atOnce.append(text)
}

/** It has to be there before anything is said in it. */
function region(role: string): HTMLElement {
  const one = document.createElement('p')
  one.className = 'unseen'
  one.setAttribute('role', role)
  document.querySelector('main')?.append(one)
  return one
}
