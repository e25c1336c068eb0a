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
  /** Form fields that start the payment. */
  form?: Record<string, string>
  /** Merchant that starts the payment; default: the demo merchant. */
  shop?: Shop
  /** Browser errors that the test expects. */
  expected?: RegExp | RegExp[]
}

export type PageView = 'form' | 'asking' | 'paid' | 'held' | 'failed' | 'expired'

export interface CardFields {
  expiry?: string
  cvc?: string
  holder?: string
}

/** Payer with a browser window. */
export interface PayerVisit extends StartedPayment {
  page: Page
  context: BrowserContext
  /** Types the payer's details, if they are asked for, and a card into the form. */
  type(number: string, more?: CardFields, page?: Page | Frame): Promise<void>
  /** Types a card and presses the button. */
  pay(number: string): Promise<void>
  /** Waits for the bank's page that asks for the code, in any frame or window. */
  bank(page?: Page): Promise<Frame>
  /** Answers the bank's page. */
  answers(what?: ChallengeReply, page?: Page): Promise<void>
  /** Waits until the page shows this view. */
  sees(view: PageView, page?: Page | Frame): Promise<void>
  /** Waits until the page shows this notice above the form. */
  seesNotice(words: RegExp, page?: Page | Frame): Promise<void>
  /** Closes the window and returns the observations. */
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

/** Stops the time in all frames of this window until its clock is advanced: `runFor`, `resume`. */
export async function stopTime({ clock }: Page): Promise<void> {
  await clock.install({ time: 0 })
  await clock.pauseAt(1_000)
}

/** Goes back. Does not wait for a page that navigates on from there. */
export async function goBack(page: Page): Promise<void> {
  await page.goBack({ waitUntil: 'commit' })
  await untilLoaded(page)
}

export async function goForward(page: Page): Promise<void> {
  await page.goForward({ waitUntil: 'commit' })
  await untilLoaded(page)
}

/**
 * A page from the back-forward cache causes no event, so the state is polled. A newly loaded page has its
 * script by then.
 */
async function untilLoaded(page: Page): Promise<void> {
  await until(
    async () =>
      (await askFrame(page.mainFrame(), (frame) => frame.evaluate(`document.readyState`))) === 'complete',
    () => `${page.url()} is not loaded`,
  )
}

/** Focuses the window as a payer who returns to it. Returns when the page requests its state. */
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

/** Payer's details as the page asks for them. */
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

/** Fills empty fields only. */
async function typePayer(page: Page | Frame, started: StartedPayment): Promise<void> {
  const values = { ...payerDetails, email: emailOf(started) }
  for (const [name, value] of Object.entries(values)) {
    const input = page.locator(`#${name}`)
    if ((await input.inputValue()) === '') await input.fill(value)
  }
}

/** Asserts that no frame of any window contains the card number after it was sent. */
async function assertNoCard(context: BrowserContext, number: string): Promise<void> {
  if (number === '') return
  const digits = number.replaceAll(/\D/g, '')
  for (const frame of context.pages().flatMap((page) => page.frames())) {
    // Numbers of the test cards that a test merchant's page offers are always there.
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
