import { element } from './element.ts'

/** Shows on request the position of the security code on a card. */
export function mountCvcHelp(): void {
  const button = element('cvc-where', HTMLButtonElement)
  const help = element('cvc-help', HTMLElement)
  button.addEventListener('click', () => {
    help.hidden = !help.hidden
    button.setAttribute('aria-expanded', String(!help.hidden))
  })
}
