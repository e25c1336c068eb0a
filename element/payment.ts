import type { EventName, Listener } from './listeners.ts'

/** Payment on a web page. */
export interface Payment {
  /** Adds a listener. The returned function removes it. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  off<Name extends EventName>(name: Name, listener: Listener<Name>): void
  /**
   * Shows the payment in a container, given as a selector or an element. The payment starts when it is first
   * shown; with `display: 'redirect'`, when the payer presses the button.
   */
  mount(container: string | HTMLElement): Payment
  /**
   * Removes the payment from the page and ends everything in progress. Mounted again, it is the same payment.
   */
  unmount(): void
}
