import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { environment } from '../server/config.ts'
import { installPackage } from '../testing/harness/install-package.ts'

/** Lighter browsers first. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/**
 * Path of a Chromium that can be started, from the first of these that exists:
 *
 * 1. `E2E_BROWSER`, as a path or as a name on the PATH; it must be runnable.
 * 2. On Linux x64, the Chromium of the npm packages.
 * 3. Elsewhere, a Chromium on the PATH.
 * 4. A Debian package, installed if that is allowed, so that a clone alone can run these tests.
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

/** First of these names that can be run, in any folder of the PATH. A name with a slash is a path. */
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
