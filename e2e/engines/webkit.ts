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
  const { API_PORT: port } = await freePorts()
  // Desktop services are not wanted: they would outlive the run.
  const own = {
    ...env,
    DISPLAY,
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    NO_AT_BRIDGE: '1',
    GIO_USE_VFS: 'local',
  }
  const driver = await startProcessGroup(['WebKitWebDriver', `--port=${port}`], own)
  const url = `http://127.0.0.1:${port}`
  await until(
    async () => (await fetch(`${url}/status`)).ok,
    () => 'WebKitWebDriver does not start',
  )
  const binary = browserPath() ?? ''
  const args = ['--automation', ...(isDark ? ['--dark-mode'] : [])]
  const open = () => openWebDriverSession(url, { 'webkitgtk:browserOptions': { binary, args } })
  const first = await open()
  await first.command('DELETE', '')
  return {
    name: `WebKitGTK ${first.capabilities['browserVersion']}`,
    openWindow: async (width, height) => windowOf(await open(), width, height),
    close: async () => {
      await driver.end()
      await display.end()
    },
  }
}

/** Starts an X server that chooses a free display, and returns it with the name of the display. */
async function startDisplay(env: Environment): Promise<[ProcessGroup, string]> {
  const words = ['Xvfb', '-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const display = await startProcessGroup(words, env, ['ignore', 'ignore', 'ignore', 'pipe'])
  const [number] = await once(createInterface({ input: display.child.stdio[3] as Readable }), 'line')
  return [display, `:${number}`]
}

async function windowOf(session: WebDriverSession, width: number, height: number): Promise<EngineWindow> {
  const { command, frames } = session
  await command('POST', '/window/rect', { width, height })
  const open = (url: string) => command<void>('POST', '/url', { url })
  return {
    open,
    frames,
    picture: async () => Buffer.from(await command<string>('GET', '/screenshot'), 'base64'),
    close: async () => {
      await command('DELETE', '')
      return []
    },
  }
}
