import { launchBrowser, openContext } from '../browser.ts'
import { demoUrl } from '../shop.ts'
import { watchWindow } from '../watch.ts'
import type { Engine, EngineKind, EngineOptions, EngineWindow } from './engine.ts'

/** Chromium that the other tests use, with their checks of every window. */
export const chromium: EngineKind = { name: 'Chromium', packages: [], isInstalled: () => true, start }

async function start({ env, isDark }: EngineOptions): Promise<Engine> {
  const browser = await launchBrowser(env, {
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const openWindow = async (width: number, height: number): Promise<EngineWindow> => {
    const context = await openContext({ width, height, dark: isDark }, browser)
    const watched = await watchWindow(context, [])
    const page = await context.newPage()
    return {
      open: async (url) => {
        await page.goto(url)
      },
      frames: async () =>
        page.frames().map((frame) => ({
          url: frame.url(),
          evaluate: (expression) => frame.evaluate(expression),
          click: (selector) => frame.locator(selector).first().click({ noWaitAfter: true }),
          type: (selector, text) => frame.locator(selector).pressSequentially(text),
          pressEnter: (selector) => frame.locator(selector).first().press('Enter', { noWaitAfter: true }),
        })),
      picture: () => page.screenshot(),
      close: async () => {
        await context.close()
        // The demo shop knows its visitors by a cookie. No other page may set one.
        return (await watched()).wrong.filter((each) => !each.startsWith(`a cookie is set by ${demoUrl}/`))
      },
    }
  }
  return { name: `Chromium ${browser.version()}`, openWindow, close: () => browser.close() }
}
