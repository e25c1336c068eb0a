import type { EventName, Listener } from './listeners.ts'

/** One payment on a web page. */
export interface Payment {
  /** Listens. What it answers takes the listener away. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void
  off<Name extends EventName>(name: Name, listener: Listener<Name>): void
  /** Shows the payment in a container, by its selector or itself. The payment is started when it is first shown. */
  mount(container: string | HTMLElement): Payment
  /** Takes it off the page, with everything that is under way. Mounted again, it is the same payment. */
  unmount(): void
}
