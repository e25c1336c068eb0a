import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Several times the space that a run needs at one time. */
const enoughBytes = 4 * 1024 ** 3

/**
 * Makes a folder for all files of a test run, in memory if possible: a database is hundreds of small files,
 * and a run creates and removes hundreds of databases. No file in it needs to survive a restart of the
 * machine.
 */
export function makeTestRunFolder(): string {
  const parent = isRoomy('/dev/shm') ? '/dev/shm' : tmpdir()
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `vezne-test-${process.pid}-`))
  // PostgreSQL may run as another user than the tests, so the folder is as open as the system's temporary
  // folder.
  chmodSync(folder, 0o1777)
  return folder
}

/** True if the folder has space for a whole run and programs can be run from it, because some tests do so. */
function isRoomy(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    if (bavail * bsize < enoughBytes) return false
    const folder = mkdtempSync(join(path, 'vezne-try-'))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    const { status } = spawnSync(program)
    rmSync(folder, { recursive: true })
    return status === 0
  } catch {
    return false
  }
}

/** Removes the folders of killed runs, which would otherwise occupy memory unnoticed. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, maker] = /^vezne-test-(\d+)-/.exec(name) ?? []
    if (maker && !isAlive(Number(maker))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
