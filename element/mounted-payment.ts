import type { AccessToken } from './access-token.ts'
import { showButton } from './button.ts'
import type { Api } from './call-api.ts'
import { developerHint, notShownHint } from './developer-hints.ts'
import { openFrame } from './frame.ts'
import type { EventName, Listener, PaymentEvents } from './listeners.ts'
import { eventNames, Listeners } from './listeners.ts'
import type { PageMessage, Step } from './messages.ts'
import type { PaymentOptions } from './options.ts'
import { invalidOption, ownOptions } from './options.ts'
import type { Payment } from './payment.ts'
import type { Shell } from './shell.ts'
import { errorBox, hasShell, openShell, skeleton } from './shell.ts'
import type { PaymentPage, StartRequest } from './start-payment.ts'
import { startPayment } from './start-payment.ts'
import type { Language, Sentence } from './texts.ts'
import { texts } from './texts.ts'
import { StartFailure, VezneError } from './vezne-error.ts'

/** Parts of a mounted payment in the page. */
interface Mounted {
  shell: Shell
  end: AbortController
}

interface PaymentContext {
  api: Api
  token: AccessToken
  /** Language for payers, if one is known. */
  shown: Language | undefined
}

/** Payment that can be mounted. Guarantee: one object is one payment, however often it is mounted. */
export class MountedPayment implements Payment {
  readonly #around: PaymentContext
  readonly #listeners: Listeners
  readonly #display: 'frame' | 'redirect'
  readonly #start: StartRequest | undefined
  #started: PaymentPage | undefined
  #mounted: Mounted | undefined
  #step: Step | undefined
  readonly #emitted = new Set<EventName>()

  constructor(around: PaymentContext, options: PaymentOptions) {
    const { display = 'frame', ...request } = options
    this.#around = around
    this.#listeners = new Listeners(around.api.browser)
    this.#display = display
    const pageUrl = ownOptions(request)['payment_page_url']
    if (typeof pageUrl === 'string') this.#started = { transactionId: undefined, pageUrl }
    else this.#start = { body: JSON.stringify(request), idempotencyKey: around.api.browser.uuid() }
  }

  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    if (!eventNames.includes(name)) throw invalidOption(String(name), noEvent, this.#around.api.language)
    if (typeof listener !== 'function') throw invalidOption(name, noListener, this.#around.api.language)
    this.#listeners.add(name, listener)
    return () => this.off(name, listener)
  }

  off<Name extends EventName>(name: Name, listener: Listener<Name>): void {
    this.#listeners.remove(name, listener)
  }

  mount(where: string | HTMLElement): Payment {
    const { language } = this.#around.api
    const container = containerOf(where)
    if (!container) throw new VezneError('no_container', noContainer(where)[language])
    // Removing the container from the page counts as unmounting.
    if (this.#mounted && !this.#mounted.shell.host.isConnected) this.unmount()
    if (this.#mounted) throw new VezneError('already_mounted', isMounted[language])
    if (hasShell(container)) throw new VezneError('already_mounted', hasOne[language])
    const mounted = { shell: openShell(container, language), end: new AbortController() }
    this.#mounted = mounted
    if (this.#display === 'redirect') this.#showButton(mounted)
    else this.#showPage(mounted)
    return this
  }

  unmount(): void {
    this.#mounted?.end.abort()
    this.#mounted?.shell.host.remove()
    this.#mounted = undefined
  }

  #showButton({ shell, end: { signal } }: Mounted): void {
    const { browser } = this.#around.api
    const start = async () => this.#address(await this.#startOnce(signal))
    showButton({ shell, browser, signal, start, fail: (error) => this.#listeners.emit('error', error) })
  }

  #showPage(mounted: Mounted): void {
    const { shell, end } = mounted
    if (this.#started) {
      this.#showFrame(mounted, this.#started)
      return
    }
    shell.show(skeleton(shell))
    this.#startOnce(end.signal)
      .then((started) => {
        if (!end.signal.aborted) this.#showFrame(mounted, started)
      })
      .catch((error: unknown) => {
        if (end.signal.aborted) return
        if (!(error instanceof StartFailure)) return this.#around.api.browser.report(error)
        const isRefused = error.paymentError.code === 'refused'
        const again = { name: texts.again, act: () => this.#showPage(mounted) }
        const sentence = isRefused ? texts.refused : texts.unreachable
        shell.show(errorBox(shell, sentence, isRefused ? [] : [again]))
        this.#listeners.emit('error', error.paymentError)
      })
  }

  /** Returns the payment and starts it if necessary. */
  async #startOnce(signal: AbortSignal): Promise<PaymentPage> {
    const { api, token } = this.#around
    if (!this.#started && this.#start)
      this.#started = await startPayment(api, token, this.#start, signal).catch((error) => {
        const advice =
          error instanceof StartFailure && !signal.aborted && developerHint(error.paymentError, api.url)
        if (advice) api.browser.complain(advice[api.language])
        throw error
      })
    if (!this.#started) throw new Error('a payment is neither started nor to be started')
    return this.#started
  }

  /** Address of the payment page, in the language of the web page. */
  #address({ pageUrl }: PaymentPage): string {
    const url = new URL(pageUrl)
    if (this.#around.shown) url.searchParams.set('lang', this.#around.shown)
    return url.href
  }

  #showFrame(mounted: Mounted, started: PaymentPage): void {
    const { shell, end } = mounted
    const { browser, language } = this.#around.api
    const url = this.#address(started)
    const view = new AbortController()
    end.signal.addEventListener('abort', () => view.abort(), { signal: view.signal })
    let isReady = false
    const onMessage = (message: PageMessage) => {
      if (message.type === 'leave') window.location.assign(message.url)
      if (message.type !== 'standing') return
      const { step, transactionId } = message
      started.transactionId ??= transactionId
      if (transactionId !== started.transactionId) return
      if (!isReady) this.#listeners.emit('ready', { transaction_id: transactionId })
      isReady = true
      this.#follow(step, transactionId)
    }
    const onMissing = () => {
      view.abort()
      const again = { name: texts.again, act: () => this.#showFrame(mounted, started) }
      const whole = { name: texts.whole, act: () => window.location.assign(url) }
      shell.show(errorBox(shell, texts.not_shown, [again, whole]))
      browser.complain(notShownHint(new URL(url).origin)[language])
      this.#listeners.emit('error', { code: 'not_shown', message: texts.not_shown[language] })
    }
    openFrame({ shell, browser, url, signal: view.signal, onMessage, onMissing })
  }

  /** Emits each new step, and each outcome once. */
  #follow(step: Step, transactionId: number): void {
    if (step === this.#step) return
    this.#step = step
    const which = { transaction_id: transactionId }
    this.#listeners.emit('change', { step, ...which })
    if (step === 'paid') this.#emitOnce('success', { ...which, status: 'success' })
    if (step === 'held') this.#emitOnce('success', { ...which, status: 'pre_authorized' })
    if (step === 'failed') this.#emitOnce('failure', which)
    if (step === 'expired') this.#emitOnce('expired', which)
  }

  /** A hold may be captured before the page is shown again; that is not a second success. */
  #emitOnce<Name extends EventName>(name: Name, event: PaymentEvents[Name]): void {
    if (this.#emitted.has(name)) return
    this.#emitted.add(name)
    this.#listeners.emit(name, event)
  }
}

/** Element on this page; undefined if there is none. */
function containerOf(where: unknown): HTMLElement | undefined {
  const node = typeof where === 'string' ? querySelector(where) : where
  return node instanceof HTMLElement && node.isConnected ? node : undefined
}

function querySelector(selector: string): Element | null {
  try {
    return document.querySelector(selector)
  } catch {
    return null
  }
}

const noContainer = (where: unknown): Sentence => ({
  tr: `Sayfada ${shownAs(where)} bulunamadı. Öğe, mount çağrıldığında sayfada bulunmalıdır.`,
  en: `The page has no ${shownAs(where)}. The container must be on the page when mount is called.`,
})

const shownAs = (where: unknown) => (typeof where === 'string' ? `“${where}”` : 'container')

const isMounted: Sentence = {
  tr: 'Bu ödeme sayfada zaten gösteriliyor. Başka bir yerde göstermek için önce unmount çağırın.',
  en: 'This payment is already shown on the page. Call unmount before you show it elsewhere.',
}

const hasOne: Sentence = {
  tr: 'Bu öğede başka bir ödeme gösteriliyor. Her ödeme için ayrı bir öğe kullanın.',
  en: 'This container already shows another payment. Use a separate container for each payment.',
}

const noListener: Sentence = {
  tr: 'dinleyici bir fonksiyon olmalıdır',
  en: 'the listener must be a function',
}

const noEvent: Sentence = {
  tr: `böyle bir olay yok; olaylar: ${eventNames.join(', ')}`,
  en: `unknown event; the events are ${eventNames.join(', ')}`,
}
