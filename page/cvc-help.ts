import { element } from './element.ts'

/** Says on request where the security code is on a card. */
export function mountCvcHelp(): void {
  const button = element('cvc-where', HTMLButtonElement)
  const help = element('cvc-help', HTMLElement)
  button.addEventListener('click', () => {
    help.hidden = !help.hidden
    button.setAttribute('aria-expanded', String(!help.hidden))
  })
}
