import { environment } from '../server/config.ts'
import { installPackage } from '../testing/harness/install-package.ts'
import { programOnPath } from './program-on-path.ts'

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
  if (named) return programOnPath([named]) ?? fail(`E2E_BROWSER names ${named}, which cannot be run.`)
  if (process.platform === 'linux' && process.arch === 'x64') {
    const { default: packaged } = await import('@sparticuz/chromium')
    return packaged.executablePath()
  }
  const found = programOnPath(names)
  if (found !== undefined) return found
  try {
    installPackage('chromium-headless-shell')
  } catch (cause) {
    throw new Error(noBrowser, { cause })
  }
  return programOnPath(names) ?? fail(noBrowser)
}

const noBrowser = `No Chromium is found on this machine, and the one that comes with the packages is for Linux on x64. Please install one: ${names.join(', ')}.`

function fail(message: string): never {
  throw new Error(message)
}
