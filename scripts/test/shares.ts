import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files that take longest have a process each, and are started first, so that all processors end at the same time.
 * A run tells its slowest files at its end; one that is missing here costs seconds, nothing else.
 */
const alone = [
  'server/start.test.ts',
  'server/payments/attempts/crash.test.ts',
  'server/three-ds/crash.test.ts',
  'server/refunds/crash.test.ts',
  'server/refunds/every-fault.test.ts',
  'server/refunds/life.test.ts',
  'server/testing/every-route/bad-input.test.ts',
  'server/sandbox-process.test.ts',
  'server/testing/every-route/fuzz.test.ts',
  'server/payments/attempts/two-copies.test.ts',
  'server/database/embedded/index.test.ts',
  'server/webhooks/deliver/crash.test.ts',
  'server/commands.test.ts',
  'scripts/readme.test.ts',
]

/** To load the service takes longer than most files do with it, and it is quicker when it has run for a while. */
const togetherAtMost = 16

/** Which files share a process, in the order in which they are to be started. */
export function sharesOf(files: readonly string[]): string[][] {
  const first = alone.filter((file) => files.includes(file))
  const others = files.filter((file) => !first.includes(file))
  const count = Math.ceil(others.length / togetherAtMost)
  // Dealt out like cards: files of one folder are alike, and so the shares take about the same time.
  const shares = Array.from({ length: count }, (_, share) =>
    others.filter((_file, index) => index % count === share),
  )
  return [...first.map((file) => [file]), ...shares]
}

/** What Node is to run for a share: the file itself, or a program in the folder that runs all of them. */
export function programOf(share: readonly string[], folder: string): string {
  const [only] = share
  if (only !== undefined && share.length === 1) return only
  const program = join(folder, `${share[0]?.replaceAll('/', '-')}-and-others.mjs`)
  const door = join(import.meta.dirname, 'together.ts')
  const text = `import { runTogether } from ${JSON.stringify(door)}\nawait runTogether(${JSON.stringify(share)})\n`
  writeFileSync(program, text)
  return program
}
