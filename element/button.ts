import type { Browser } from './browser.ts'
import { afterUnlessAborted } from './browser.ts'
import type { Shell } from './shell.ts'
import { createElement, errorBox } from './shell.ts'
import { texts } from './texts.ts'
import type { PaymentError } from './vezne-error.ts'
import { StartFailure } from './vezne-error.ts'

/** A window that has not gone by then will not go: somebody has stopped it. */
const navigationTimeoutMs = 10_000

export interface ButtonOptions {
  shell: Shell
  browser: Browser
  signal: AbortSignal
  /** Settles with the address of the payment page, or throws a `StartFailure`. */
  start(): Promise<string>
  fail(error: PaymentError): void
}

/** A button that leads the window to the payment page. Guarantee: pressed twice it starts one payment. */
export function showButton({ shell, browser, signal, start, fail }: ButtonOptions): void {
  const { language } = shell
  const button = createElement('button', 'button')
  button.type = 'button'
  let isBusy = false
  const be = (busy: boolean) => {
    isBusy = busy
    button.textContent = (busy ? texts.opening : texts.pay)[language]
    // A button that is disabled would lose the focus.
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
  // Who goes back is shown the page as it was left.
  window.addEventListener('pageshow', ({ persisted }) => persisted && be(false), { signal })
  be(false)
  shell.show(button)
}
