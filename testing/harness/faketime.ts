import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../server/config.ts'
import { installPackage } from './install-package.ts'

const libraries = '/usr/lib/*/faketime/libfaketime.so.1'

/** Sets the time of day of a single process. Its monotonic clock stays right. */
export class FakeTime {
  readonly #file: string
  readonly env: Environment

  constructor(folder: string, name: string) {
    this.#file = join(folder, `${name}.time`)
    this.setAhead(0)
    this.env = {
      LD_PRELOAD: library(),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  setAhead(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}`)
  }
}

/** Reason for which libfaketime is not available; undefined if it is. */
export function whyNoFakeTime(): string | undefined {
  const can = globSync(libraries).length > 0 || (process.platform === 'linux' && process.getuid?.() === 0)
  return can ? undefined : 'libfaketime is not on this machine'
}

function library(): string {
  if (globSync(libraries).length === 0) installPackage('libfaketime')
  const [found] = globSync(libraries)
  if (!found) throw new Error(`libfaketime is not at ${libraries}.`)
  return found
}
