import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { after } from 'node:test'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import type { Started } from './shop.ts'
import { startPayment } from './shop.ts'

const words = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Promise<Browser> | undefined

/** One browser for a test file; each payer has a window of their own in it. */
function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: process.env['E2E_BROWSER'] ?? '',
    args: words,
    // As payers have it: going back shows what the browser kept.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  return browser
}

after(async () => (await browser)?.close())

export interface PayerOptions {
  language?: 'tr' | 'en'
  /** What the payment is started with. */
  form?: Record<string, string>
  width?: number
  /** Complaints of the browser that belong to the test. */
  expected?: RegExp
}

/** Somebody with a browser who wants to pay. */
export interface Payer extends Started {
  page: Page
  context: BrowserContext
  /** Types a card into the form. */
  type(number: string, more?: { expiry?: string; cvc?: string; holder?: string }): Promise<void>
  /** Types a card and presses the button. */
  pay(number: string): Promise<void>
  /** The bank's page, in whichever frame or window it is, once it asks for the code. */
  bank(page?: Page): Promise<Frame>
  /** Does what the bank's page asks for, or not. */
  answers(what?: 'right' | 'wrong' | 'cancel', page?: Page): Promise<void>
  /** Waits until the page shows this view. */
  sees(view: 'form' | 'asking' | 'paid' | 'held' | 'failed' | 'expired', page?: Page): Promise<void>
  /** Waits until the page says this above the form. */
  isTold(words: RegExp, more?: { page?: Page; timeout?: number }): Promise<void>
}

/** What a browser says of a request that was refused as it should be. */
const ordinary = /status of (409|422|429)/

/** Opens the page of a new payment in a window that has never been anywhere. */
export async function payer(t: TestContext, options: PayerOptions = {}): Promise<Payer> {
  const started = await startPayment(options.form)
  const locale = options.language === 'en' ? 'en-GB' : 'tr-TR'
  const context = await (await theBrowser()).newContext({
    locale,
    viewport: { width: options.width ?? 1280, height: 800 },
  })
  const wrong = watch(context, options.expected)
  t.after(async () => {
    const cookies = await context.cookies()
    await context.close()
    assert.deepEqual(cookies, [], 'no cookie is ever set')
    const complaints = await wrong()
    for (const complaint of complaints) t.diagnostic(complaint)
    assert.deepEqual(complaints, [], 'the browser has nothing to complain about')
  })
  const page = await context.newPage()
  await refuseCookies(context, page)
  await page.goto(started.url)
  return { ...started, page, context, ...deedsOf(context, page) }
}

/** As a browser does that was told to take none: neither from scripts nor from other sites. */
async function refuseCookies(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
}

type Deeds = Pick<Payer, 'type' | 'pay' | 'bank' | 'answers' | 'sees' | 'isTold'>

function deedsOf(context: BrowserContext, own: Page): Deeds {
  let typed = ''
  const type: Deeds['type'] = async (number, more = {}) => {
    typed = number
    await own.fill('[autocomplete=cc-number]', number)
    await own.fill('[autocomplete=cc-exp]', more.expiry ?? '12/30')
    await own.fill('[autocomplete=cc-csc]', more.cvc ?? '123')
    await own.fill('[autocomplete=cc-name]', more.holder ?? 'Işık Öztürk')
  }
  const bank: Deeds['bank'] = async (page = own) => {
    const frame = await frameOfBank(page)
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
    answers: async (what = 'right', page = own) => answer(await bank(page), what),
    sees: async (view, page = own) => {
      await page.locator(`#outcome[data-view=${view}]`).waitFor({ state: 'attached', timeout: 30_000 })
      await assertNoCard(context, typed)
    },
    isTold: (text, { page = own, timeout = 30_000 } = {}) =>
      page.locator('#notice:not([hidden])', { hasText: text }).waitFor({ timeout }),
  }
}

/**
 * What every person knows of a bank's page: the code that it shows goes into its one field, and the first button
 * confirms. Settles when the bank's page has gone on.
 */
export async function answer(frame: Frame, what: 'right' | 'wrong' | 'cancel' = 'right'): Promise<void> {
  const shown = /(?<!\d)\d{6}(?!\d)/.exec(await frame.locator('body').innerText())?.[0] ?? ''
  const buttons = frame.locator('button[type=submit], input[type=submit]')
  const gone = frame.page().waitForEvent('framenavigated', (each) => each === frame)
  if (what === 'cancel') await buttons.nth(1).click({ noWaitAfter: true })
  else {
    const other = shown === '111111' ? '222222' : '111111'
    await frame.locator(field).fill(what === 'right' ? shown : other)
    await buttons.first().click({ noWaitAfter: true })
  }
  await gone
}

const field = 'input[type=text], input:not([type])'

async function frameOfBank(page: Page): Promise<Frame> {
  const sandbox = (frame: Frame) => new URL(frame.url()).hostname === '127.0.0.1'
  for (let look = 0; look < 300; look++) {
    for (const frame of page.frames().filter((each) => each.url().startsWith('http') && sandbox(each))) {
      const fields = await frame
        .locator('input[type=text], input:not([type])')
        .count()
        .catch(() => 0)
      if (fields === 1) return frame
    }
    await page.waitForTimeout(100)
  }
  throw new Error(`the bank asks nothing; the page is at ${page.url()}`)
}

/** Collects what must not happen. Settles with it once everything that is under way has been looked at. */
function watch(context: BrowserContext, expected: RegExp | undefined): () => Promise<string[]> {
  const wrong: string[] = []
  const looks: Promise<void>[] = []
  context.on('response', (response) => {
    const look = async () => {
      const headers = await response.allHeaders().catch(() => undefined)
      if (headers?.['set-cookie'] !== undefined) wrong.push(`a cookie is set by ${response.url()}`)
    }
    looks.push(look())
  })
  context.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !ordinary.test(text) && !expected?.test(text)) wrong.push(text)
  })
  context.on('weberror', (error) => wrong.push(String(error.error())))
  return async () => {
    await Promise.all(looks)
    return wrong
  }
}

/** After the card was sent, no frame of any window holds its number. */
async function assertNoCard(context: BrowserContext, number: string): Promise<void> {
  if (number === '') return
  const digits = number.replaceAll(/\D/g, '')
  for (const frame of context.pages().flatMap((page) => page.frames())) {
    const source = await frame.content().catch(() => '')
    assert.ok(
      !source.replaceAll(/[\s-]/g, '').includes(digits),
      `the source of ${frame.url()} holds the card`,
    )
  }
}
