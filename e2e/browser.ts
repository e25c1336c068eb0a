import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { giveUpAfterMs } from './until.ts'

/** Command-line switches in addition to Playwright's. */
export const browserSwitches = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Promise<Browser> | undefined
const moreSwitches: string[] = []

/**
 * Runs pages of different sites in different processes, as a payer's desktop does. To be called before the
 * first window is opened.
 */
export function isolateSites(): void {
  moreSwitches.push('--site-per-process')
}

/** Starts the browser that the runner found and measured. */
export function launchBrowser(
  env: Record<string, string | undefined>,
  more: LaunchOptions = {},
): Promise<Browser> {
  return chromium.launch({
    ...more,
    executablePath: env['E2E_BROWSER'] ?? '',
    args: [...JSON.parse(env['E2E_BROWSER_SWITCHES'] ?? '[]'), ...moreSwitches],
    // Payers' browsers keep pages for going back and have scroll bars, so Playwright must not switch those
    // off.
    ignoreDefaultArgs: ['--disable-back-forward-cache', '--hide-scrollbars'],
    timeout: giveUpAfterMs,
  })
}

/** One browser per process; each payer has a separate window. */
function theBrowser(): Promise<Browser> {
  browser ??= launchBrowser(process.env)
  return browser
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}

/** Window of a payer. */
export interface WindowOptions {
  language?: 'tr' | 'en'
  width?: number
  height?: number
  /** Touch screen, as on a phone. */
  touch?: boolean
  dark?: boolean
  script?: boolean
}

/** New window without history or cookies. */
export async function openContext(seat: WindowOptions, from?: Browser): Promise<BrowserContext> {
  const context = await (from ?? (await theBrowser())).newContext({
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

/** Refuses cookies of scripts and of third-party sites, as a browser with that setting does. */
export async function refuseCookies(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true })
}
