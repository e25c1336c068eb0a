import { execFileSync } from 'node:child_process'
import { environment } from '../../server/config.ts'

/** Installs a Debian package if this process is root, so that the tests run from a fresh clone. */
export function installPackage(name: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error(`Please install ${name}.`)
  process.stderr.write(`${name} is not on this machine; apt-get installs it.\n`)
  const env = { ...environment(), DEBIAN_FRONTEND: 'noninteractive' }
  const packages = (...words: string[]) =>
    execFileSync('apt-get', ['-qq', '-y', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env })
  try {
    packages('update')
    packages('install', '--no-install-recommends', name)
  } catch (cause) {
    throw new Error(`Please install ${name}.`, { cause })
  }
}
