import type { Browser } from './browser.ts'
import { afterUnlessAborted } from './browser.ts'
import type { Shell } from './shell.ts'
import { createElement, errorBox } from './shell.ts'
import { texts } from './texts.ts'
import type { PaymentError } from './vezne-error.ts'
import { StartFailure } from './vezne-error.ts'

/** Time after which a navigation counts as stopped by the payer. */
const navigationTimeoutMs = 10_000

export interface ButtonOptions {
  shell: Shell
  browser: Browser
  signal: AbortSignal
  /** Resolves with the address of the payment page, or throws a `StartFailure`. */
  start(): Promise<string>
  fail(error: PaymentError): void
}

/** Shows a button that opens the payment page in this window. Guarantee: two presses start one payment. */
export function showButton({ shell, browser, signal, start, fail }: ButtonOptions): void {
  const { language } = shell
  const button = createElement('button', 'button')
  button.type = 'button'
  let isBusy = false
  const be = (busy: boolean) => {
    isBusy = busy
    button.textContent = (busy ? texts.opening : texts.pay)[language]
    // A disabled button would lose the focus.
    button.setAttribute('aria-disabled', String(busy))
  }
  let errorMessage: HTMLElement | undefined
  const press = async () => {
    if (isBusy) return
    be(true)
    errorMessage?.remove()
    try {
      const url = await start()
      if (signal.aborted) return
      window.location.assign(url)
      afterUnlessAborted(browser, navigationTimeoutMs, signal, () => be(false))
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof StartFailure)) throw error
      be(false)
      errorMessage = errorBox(
        shell,
        error.paymentError.code === 'refused' ? texts.refused : texts.unreachable,
        [],
      )
      button.after(errorMessage)
      fail(error.paymentError)
    }
  }
  button.addEventListener('click', () => void press().catch(browser.report))
  // Going back shows the page as it was left, with a busy button.
  window.addEventListener('pageshow', ({ persisted }) => persisted && be(false), { signal })
  be(false)
  shell.show(button)
}
