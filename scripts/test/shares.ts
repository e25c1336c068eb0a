import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files that take longest have a process each, and are started first. A run tells its slowest files at its end; one
 * that is missing here costs seconds, nothing else.
 */
const first = [
  'server/start.test.ts',
  'server/three-ds/crash.test.ts',
  'server/payments/attempts/crash.test.ts',
  'server/refunds/crash.test.ts',
  'server/sandbox-process.test.ts',
  'server/testing/every-route/bad-input.test.ts',
  'server/payments/attempts/two-copies.test.ts',
  'scripts/readme.test.ts',
  'server/testing/every-route/bad-requests.test.ts',
]

/** Those that take a part of what a share takes come behind the shares: so no processor is left with nothing to do for long. */
const last = [
  'server/commands.test.ts',
  'server/refunds/every-fault.test.ts',
  'server/testing/every-route/fuzz.test.ts',
  'server/refunds/life.test.ts',
  'server/database/embedded/index.test.ts',
  'server/webhooks/deliver/crash.test.ts',
]

/** To load the service takes longer than most files do with it, and it is quicker when it has run for a while. */
const togetherAtMost = 24

/** Which files share a process, in the order in which they are to be started. */
export function sharesOf(files: readonly string[]): string[][] {
  const alone = (of: readonly string[]) => of.filter((file) => files.includes(file)).map((file) => [file])
  const others = files.filter((file) => !first.includes(file) && !last.includes(file))
  const count = Math.ceil(others.length / togetherAtMost)
  // Dealt out like cards: files of one folder are alike, and so the shares take about the same time.
  const shares = Array.from({ length: count }, (_, share) =>
    others.filter((_file, index) => index % count === share),
  )
  return [...alone(first), ...shares, ...alone(last)]
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
