import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { giveUpAfterMs } from './until.ts'

/** Command-line switches, beside Playwright's own. */
export const browserSwitches = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Promise<Browser> | undefined

/** Starts the browser that the runner has found and measured. */
export function launchBrowser(env: Record<string, string | undefined>): Promise<Browser> {
  return chromium.launch({
    executablePath: env['E2E_BROWSER'] ?? '',
    args: JSON.parse(env['E2E_BROWSER_SWITCHES'] ?? '[]'),
    // As payers have it: going back shows what the browser kept, and a scroll bar takes room.
    ignoreDefaultArgs: ['--disable-back-forward-cache', '--hide-scrollbars'],
    timeout: giveUpAfterMs,
  })
}

/** One browser for a process; each payer has a window of their own in it. */
function theBrowser(): Promise<Browser> {
  browser ??= launchBrowser(process.env)
  return browser
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** What a payer sits in front of. */
export interface WindowOptions {
  language?: 'tr' | 'en'
  width?: number
  height?: number
  /** A screen that is touched, as a phone's. */
  touch?: boolean
  dark?: boolean
  script?: boolean
}

/** A window that has never been anywhere, and takes no cookies. */
export async function openContext(seat: WindowOptions): Promise<BrowserContext> {
  const context = await (await theBrowser()).newContext({
    locale: seat.language === 'en' ? 'en-GB' : 'tr-TR',
    timezoneId: 'Europe/Istanbul',
    viewport: { width: seat.width ?? 1280, height: seat.height ?? 800 },
    hasTouch: seat.touch ?? false,
    isMobile: seat.touch ?? false,
    colorScheme: seat.dark ? 'dark' : 'light',
    javaScriptEnabled: seat.script ?? true,
  })
  context.setDefaultTimeout(giveUpAfterMs)
  return context
}

/** As a browser does that was told to take none: neither from scripts nor from other sites. */
export async function refuseCookies(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
}
