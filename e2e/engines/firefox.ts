import { inspect } from 'node:util'
import { launch } from 'puppeteer-core'
import { programOnPath } from '../program-on-path.ts'
import { giveUpAfterMs, until } from '../until.ts'
import type { Engine, EngineKind, EngineOptions, EngineWindow } from './engine.ts'

/** Firefox, driven by its own WebDriver BiDi port. */
export const firefox: EngineKind = {
  name: 'Firefox',
  packages: ['firefox-esr'],
  isInstalled: () => programPath() !== undefined,
  start,
}

const programPath = () => programOnPath(['firefox-esr', 'firefox'])

/** Policy violations become errors on the console, because Firefox reports them nowhere else. */
const tellViolations = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('a policy is violated: ' + violatedDirective + ' ' + blockedURI))`

/**
 * True for an error of Firefox's own driver: it asks a frame that moves to another site meanwhile. An error of a
 * page has the address of its script in its stack.
 */
function isOfDriver(error: unknown): boolean {
  const { message, stack = '' } = error as Error
  return message.includes('Permission denied to access property') && !stack.includes('http')
}

/** Puppeteer also sets the orientation of the screen, which older versions of Firefox cannot do. */
function ignoreOrientation(error: Error): void {
  if (!error.message.includes('setScreenOrientationOverride')) throw error
}

async function start({ isDark }: EngineOptions): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: programPath() ?? '',
    timeout: giveUpAfterMs,
    protocolTimeout: giveUpAfterMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    extraPrefsFirefox: {
      'intl.accept_languages': 'tr-TR, tr',
      'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
    },
  })
  const openWindow = async (width: number, height: number): Promise<EngineWindow> => {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text())
    })
    page.on('pageerror', (error) => {
      if (!isOfDriver(error)) wrong.push(inspect(error))
    })
    await page.evaluateOnNewDocument(tellViolations)
    await page.setViewport({ width, height }).catch(ignoreOrientation)
    await until(
      async () => (await page.evaluate('innerWidth')) === width,
      () => `the window does not become ${width} pixels wide`,
    )
    return {
      open: async (url) => {
        await page.goto(url)
      },
      frames: async () =>
        page.frames().map((frame) => ({
          url: frame.url(),
          evaluate: <Value>(expression: string) => frame.evaluate(expression) as Promise<Value>,
          click: (selector) => frame.click(selector),
          type: (selector, text) => frame.type(selector, text),
          pressEnter: async (selector) => {
            await (await frame.$(selector))?.press('Enter')
          },
        })),
      picture: () => page.screenshot(),
      close: async () => {
        await context.close()
        return wrong
      },
    }
  }
  return {
    name: (await browser.version()).replace('firefox/', 'Firefox '),
    openWindow,
    close: () => browser.close(),
  }
}
