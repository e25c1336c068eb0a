import assert from 'node:assert/strict'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { askFrame } from './ask-frame.ts'
import type { ChallengeReply } from './bank.ts'
import { answerChallenge, bankFrame } from './bank.ts'
import type { WindowOptions } from './browser.ts'
import { openContext, refuseCookies } from './browser.ts'
import type { Shop, StartedPayment } from './shop.ts'
import { startPayment } from './shop.ts'
import { until } from './until.ts'
import type { WatchResult } from './watch.ts'
import { watchWindow } from './watch.ts'

export interface VisitOptions extends WindowOptions {
  /** What the payment is started with. */
  form?: Record<string, string>
  /** Who starts it; the demo merchant unless said otherwise. */
  shop?: Shop
  /** Complaints of the browser that belong to the test. */
  expected?: RegExp | RegExp[]
}

export type PageView = 'form' | 'asking' | 'paid' | 'held' | 'failed' | 'expired'

export interface CardFields {
  expiry?: string
  cvc?: string
  holder?: string
}

/** Somebody with a browser who wants to pay. */
export interface PayerVisit extends StartedPayment {
  page: Page
  context: BrowserContext
  /** Types who pays, where that is asked, and a card into the form. */
  type(number: string, more?: CardFields, page?: Page | Frame): Promise<void>
  /** Types a card and presses the button. */
  pay(number: string): Promise<void>
  /** The bank's page, in whichever frame or window it is, once it asks for the code. */
  bank(page?: Page): Promise<Frame>
  /** Does what the bank's page asks for, or not. */
  answers(what?: ChallengeReply, page?: Page): Promise<void>
  /** Waits until the page shows this view. */
  sees(view: PageView, page?: Page | Frame): Promise<void>
  /** Waits until the page says this above the form. */
  seesNotice(words: RegExp, page?: Page | Frame): Promise<void>
  /** Closes the window and tells what happened in it. */
  end(): Promise<WatchResult>
}

/** Opens the page of a new payment. */
export async function openVisit(options: VisitOptions = {}): Promise<PayerVisit> {
  const started = await startPayment(options.form, options.shop)
  const context = await openContext(options)
  const watched = await watchWindow(context, [options.expected ?? []].flat())
  const page = await context.newPage()
  await refuseCookies(context, page)
  await page.goto(started.url)
  const end = async () => {
    const cookies = await context.cookies()
    await context.close()
    const { wrong, jumps } = await watched()
    return { jumps, wrong: [...wrong, ...cookies.map(({ name }) => `the cookie ${name} is set`)] }
  }
  return { ...started, page, context, end, ...visitActions(context, page, started) }
}

/** From now on no time passes in this window, in any frame, until its clock is told so: `runFor`, `resume`. */
export async function stopTime({ clock }: Page): Promise<void> {
  await clock.install({ time: 0 })
  await clock.pauseAt(1_000)
}

/** Goes back. A page that leads elsewhere from there is not waited for. */
export async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' })
  await untilLoaded(page)
}

export async function goForward(page: Page): Promise<void> {
  await page.goForward({ waitUntil: 'commit' })
  await untilLoaded(page)
}

/** No event tells of a page that the browser has kept: it is there without being loaded. One that is loaded anew has its script then. */
async function untilLoaded(page: Page): Promise<void> {
  await until(
    async () =>
      (await askFrame(page.mainFrame(), (frame) => frame.evaluate(`document.readyState`))) === 'complete',
    () => `${page.url()} is not loaded`,
  )
}

/** As somebody does who looks at the window again. Settles when the page asks for its state, which it has not just done. */
export async function refocusWindow(target: Page | Frame): Promise<void> {
  const page = 'page' in target ? target.page() : target
  let isAsked = false
  const statusRequest = page.waitForRequest(/\/status$/).then(() => {
    isAsked = true
  })
  await until(
    async () => {
      await target.evaluate('window.dispatchEvent(new Event("focus"))')
      return isAsked
    },
    () => 'the page does not ask for its state',
  )
  await statusRequest
}

/** Who pays, as the page asks for it. */
export const payerDetails = { name: 'Işık', lastname: 'Öztürk', phone: '0532 123 45 67' }

export const emailOf = ({ id }: Pick<StartedPayment, 'id'>) => `isik-${id}@example.com`

type VisitActions = Pick<PayerVisit, 'type' | 'pay' | 'bank' | 'answers' | 'sees' | 'seesNotice'>

function visitActions(context: BrowserContext, own: Page, started: StartedPayment): VisitActions {
  let typed = ''
  const type: VisitActions['type'] = async (number, more = {}, page = own) => {
    typed = number
    if (await page.locator('#payer').isVisible()) await typePayer(page, started)
    await page.fill('[autocomplete=cc-number]', number)
    await page.fill('[autocomplete=cc-exp]', more.expiry ?? '12/30')
    await page.fill('[autocomplete=cc-csc]', more.cvc ?? (/^3[47]/.test(number) ? '1234' : '123'))
    await page.fill('[autocomplete=cc-name]', more.holder ?? 'Işık Öztürk')
  }
  const bank: VisitActions['bank'] = async (page = own) => {
    const frame = await bankFrame(page)
    await assertNoCard(context, typed)
    return frame
  }
  return {
    type,
    pay: async (number) => {
      await type(number)
      await own.click('button[type=submit]')
    },
    bank,
    answers: async (what = 'right', page = own) => answerChallenge(await bank(page), what),
    sees: async (view, page = own) => {
      await page.locator(`#outcome[data-view=${view}]`).waitFor({ state: 'attached' })
      await assertNoCard(context, typed)
    },
    seesNotice: (text, page = own) => page.locator('#notice:not([hidden])', { hasText: text }).waitFor(),
  }
}

/** What the page has of it already stays. */
async function typePayer(page: Page | Frame, started: StartedPayment): Promise<void> {
  const values = { ...payerDetails, email: emailOf(started) }
  for (const [name, value] of Object.entries(values)) {
    const input = page.locator(`#${name}`)
    if ((await input.inputValue()) === '') await input.fill(value)
  }
}

/** After the card was sent, no frame of any window holds its number. */
async function assertNoCard(context: BrowserContext, number: string): Promise<void> {
  if (number === '') return
  const digits = number.replaceAll(/\D/g, '')
  for (const frame of context.pages().flatMap((page) => page.frames())) {
    // The numbers of the cards that a test merchant's page offers for trying out stand there from the beginning.
    const content = await until(
      () => askFrame(frame, (each) => each.content()).catch(() => ''),
      () => `${frame.url()} does not show its source`,
    )
    const source = content.replaceAll(/ data-number="\d+"/g, '')
    assert.ok(
      !source.replaceAll(/[\s-]/g, '').includes(digits),
      `the source of ${frame.url()} holds the card`,
    )
  }
}
