import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files that a run has at one time, several times over. */
const enoughBytes = 4 * 1024 ** 3

/**
 * A folder for everything that a test run makes, in memory where the machine has such a place: a database is some
 * hundreds of small files, and a run makes and removes hundreds of databases. Nothing in it must outlive the machine.
 */
export function makeTestRunFolder(): string {
  const parent = isRoomy('/dev/shm') ? '/dev/shm' : tmpdir()
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `vezne-test-${process.pid}-`))
  // As open as the folder that it stands for: PostgreSQL may run as another user than the tests.
  chmodSync(folder, 0o1777)
  return folder
}

/** Whether there is room for a whole run, and programs can be run from it, as some tests do. */
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

/** What runs have left that were killed: memory, where nobody would look for it. */
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
