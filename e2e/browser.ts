import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'

const words = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Promise<Browser> | undefined

/** One browser for a process; each payer has a window of their own in it. */
function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: process.env['E2E_BROWSER'] ?? '',
    args: words,
    // As payers have it: going back shows what the browser kept, and a scroll bar takes room.
    ignoreDefaultArgs: ['--disable-back-forward-cache', '--hide-scrollbars'],
  })
  return browser
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** What a payer sits in front of. */
export interface Seat {
  language?: 'tr' | 'en'
  width?: number
  height?: number
  /** A screen that is touched, as a phone's. */
  touch?: boolean
  dark?: boolean
  script?: boolean
}

/** A window that has never been anywhere, and takes no cookies. */
export async function openContext(seat: Seat): Promise<BrowserContext> {
  return (await theBrowser()).newContext({
    locale: seat.language === 'en' ? 'en-GB' : 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    viewport: { width: seat.width ?? 1280, height: seat.height ?? 800 },
    hasTouch: seat.touch ?? false,
    isMobile: seat.touch ?? false,
    colorScheme: seat.dark ? 'dark' : 'light',
    javaScriptEnabled: seat.script ?? true,
  })
}

/** As a browser does that was told to take none: neither from scripts nor from other sites. */
export async function refuseCookies(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
}
