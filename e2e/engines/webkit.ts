import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Environment } from '../../server/config.ts'
import { freePorts } from '../../testing/harness/process.ts'
import { programOnPath } from '../program-on-path.ts'
import { until } from '../until.ts'
import type { Engine, EngineKind, EngineOptions, EngineWindow } from './engine.ts'
import type { ProcessGroup } from './process-group.ts'
import { startProcessGroup } from './process-group.ts'
import type { WebDriverSession } from './webdriver.ts'
import { openWebDriverSession } from './webdriver.ts'

/** WebKitGTK, driven by its own WebDriver on a display of its own. Each window is a browser of its own. */
export const webKit: EngineKind = {
  name: 'WebKitGTK',
  packages: ['webkit2gtk-driver', 'xvfb'],
  isInstalled: () =>
    ['WebKitWebDriver', 'Xvfb', browserPath() ?? ''].every((name) => programOnPath([name]) !== undefined),
  start,
}

/** The test browser is in a folder named after the architecture and the version of its interface. */
const browserPath = () => globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser').toSorted().at(-1)

async function start({ env, isDark }: EngineOptions): Promise<Engine> {
  const [display, DISPLAY] = await startDisplay(env)
  // Desktop services are not wanted: they would outlive the run.
  const own = {
    ...env,
    DISPLAY,
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    NO_AT_BRIDGE: '1',
    GIO_USE_VFS: 'local',
  }
  const first = await openBrowser(own, isDark, 1280, 800)
  await first.close()
  return {
    name: `WebKitGTK ${first.session.capabilities['browserVersion']}`,
    openWindow: async (width, height) => windowOf(await openBrowser(own, isDark, width, height)),
    close: () => display.end(),
  }
}

/** Browser with the driver that started it. */
interface Browser {
  session: WebDriverSession
  close(): Promise<void>
}

/** A browser is ready after half a second. A busy machine needs more. */
const openingLimitMs = 30_000

/**
 * Starts a browser with a window of this size, in the second or third try if necessary. The driver chooses a port
 * for the browser and waits forever if the browser cannot open it, for example because another program took it
 * first. So each try has a limit and a driver of its own.
 */
async function openBrowser(
  env: Environment,
  isDark: boolean,
  width: number,
  height: number,
): Promise<Browser> {
  for (let triesLeft = 2; ; triesLeft -= 1) {
    const { API_PORT: port } = await freePorts()
    const driver = await startProcessGroup(['WebKitWebDriver', `--port=${port}`], env)
    try {
      const session = await openSession(`http://127.0.0.1:${port}`, isDark)
      await session.command('POST', '/window/rect', { width, height }, openingLimitMs)
      return { session, close: driver.end }
    } catch (error) {
      await driver.end()
      if (triesLeft === 0) throw error
      process.stdout.write(`WebKitGTK is started anew: ${error}\n`)
    }
  }
}

async function openSession(url: string, isDark: boolean): Promise<WebDriverSession> {
  await until(
    async () => (await fetch(`${url}/status`, { signal: AbortSignal.timeout(openingLimitMs) })).ok,
    () => 'WebKitWebDriver does not start',
    openingLimitMs,
  )
  const binary = browserPath() ?? ''
  const args = ['--automation', ...(isDark ? ['--dark-mode'] : [])]
  return openWebDriverSession(url, { 'webkitgtk:browserOptions': { binary, args } }, openingLimitMs)
}

/** Starts an X server that chooses a free display, and returns it with the name of the display. */
async function startDisplay(env: Environment): Promise<[ProcessGroup, string]> {
  const words = ['Xvfb', '-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const display = await startProcessGroup(words, env, ['ignore', 'ignore', 'ignore', 'pipe'])
  const [number] = await once(createInterface({ input: display.child.stdio[3] as Readable }), 'line')
  return [display, `:${number}`]
}

function windowOf({ session: { command, frames }, close }: Browser): EngineWindow {
  return {
    open: (url) => command<void>('POST', '/url', { url }),
    frames,
    picture: async () => Buffer.from(await command<string>('GET', '/screenshot'), 'base64'),
    close: async () => {
      await close()
      return []
    },
  }
}
