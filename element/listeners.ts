import type { Browser } from './browser.ts'
import type { Step } from './messages.ts'
import type { PaymentError } from './vezne-error.ts'

/** Events of a payment. All are hints: the merchant's server must check if the payment is paid. */
export interface PaymentEvents {
  /** The payment page is shown. */
  ready: { transaction_id: number }
  /** The payer is at another step. */
  change: { step: Step; transaction_id: number }
  success: { transaction_id: number; status: 'success' | 'pre_authorized' }
  /** No attempt is left. */
  failure: { transaction_id: number }
  expired: { transaction_id: number }
  error: PaymentError
}

export type EventName = keyof PaymentEvents

export type Listener<Name extends EventName> = (event: PaymentEvents[Name]) => void

export const eventNames: readonly EventName[] = ['ready', 'change', 'success', 'failure', 'expired', 'error']

/** Listeners of a payment. Guarantee: a listener that throws affects neither the others nor the element. */
export class Listeners {
  readonly #browser: Pick<Browser, 'report' | 'complain'>
  readonly #all = new Map<EventName, Set<Listener<never>>>()

  constructor(browser: Pick<Browser, 'report' | 'complain'>) {
    this.#browser = browser
  }

  add<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    const known = this.#all.get(name) ?? new Set()
    this.#all.set(name, known.add(listener))
  }

  remove<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    this.#all.get(name)?.delete(listener)
  }

  /** Calls the listeners. An error without a listener is written to the console. */
  emit<Name extends EventName>(name: Name, event: PaymentEvents[Name]): void {
    const listening = [...(this.#all.get(name) ?? [])] as Listener<Name>[]
    if (name === 'error' && listening.length === 0) this.#browser.complain(event)
    for (const listener of listening) {
      try {
        listener(event)
      } catch (error) {
        this.#browser.report(error)
      }
    }
  }
}
