import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { environment } from '../server/config.ts'

const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/**
 * Where a Chromium is that can be started. The one that comes with the packages is made for Linux on x64; elsewhere it is the
 * machine's own. A machine of Debian that has none is given one, if we are allowed to: whoever has nothing but a clone runs
 * these tests too.
 */
export async function findBrowser(): Promise<string> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium')
    return packaged.executablePath()
  }
  const found = browserOnPath()
  if (found !== undefined) return found
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error(noBrowser)
  process.stderr.write('There is no Chromium on this machine; apt-get installs one.\n')
  const env = { ...environment(), DEBIAN_FRONTEND: 'noninteractive' }
  const packages = (...words: string[]) =>
    execFileSync('apt-get', ['-qq', '-y', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env })
  try {
    packages('update')
    packages('install', '--no-install-recommends', 'chromium-headless-shell')
  } catch (cause) {
    throw new Error(noBrowser, { cause })
  }
  return browserOnPath() ?? fail()
}

const noBrowser = `No Chromium is found on this machine, and the one that comes with the packages is for Linux on x64. Please install one: ${names.join(', ')}.`

function fail(): never {
  throw new Error(noBrowser)
}

function browserOnPath(): string | undefined {
  const folders = (environment()['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canBeRun)
}

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
