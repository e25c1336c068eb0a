import { existsSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ActiveMutation } from './mutations/hook.ts'
import type { NamedMutation } from './mutations/list.ts'
import { areas, mutations } from './mutations/list.ts'
import type { TestResult } from './mutations/run-test-file.ts'
import { runTestFile } from './mutations/run-test-file.ts'
import { startCluster } from './test/cluster.ts'
import { testEnvironment } from './test/environment.ts'
import { exitWithError } from './test/exit-with-error.ts'
import { makeTestRunFolder } from './test/folder.ts'
import { secondsText } from './test/report.ts'

/**
 * Removes guards from the code, one at a time, and prints the test that notices. Exits with 1 if no test
 * notices. The files on disk do not change. `npm run mutations -- refunds` runs the mutations with that word
 * in area or name.
 */
const root = join(import.meta.dirname, '..')
const hook = pathToFileURL(join(root, 'scripts/mutations/hook.ts')).href

/** Time limit of a mutated test: far above its unmutated time, because the machine may be busy. */
const limitMs = 30_000
const limitTimes = 5

/** Time limit of an unmutated test file. */
const unmutatedLimitMs = 240_000

const words = process.argv.slice(2)
const selected = mutations.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
if (selected.length === 0)
  exitWithError(
    `No mutation has ${words.join(' or ')} in its area or name. Areas: ${Object.keys(areas).join(', ')}.`,
  )
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

const startedAt = performance.now()
const folder = makeTestRunFolder()
let isFine = false
try {
  const cluster = await startCluster(folder)
  try {
    isFine = await tryAll(cluster.urls)
  } finally {
    await cluster.end()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isFine ? 0 : 1)

async function tryAll(serverUrls: readonly string[]): Promise<boolean> {
  const usualMs = await runUnmutated(serverUrls)
  const count = { caught: 0, survived: 0, broken: 0 }
  await atOnce(selected, async (mutation) => {
    const kind = await tryOne(serverUrls, mutation, usualMs.get(runOf(mutation)))
    if (kind) count[kind] += 1
  })
  if (stop.signal.aborted) return false
  const broken = count.broken > 0 ? `, ${count.broken} could not be tried` : ''
  say(`\n${count.caught} caught, ${count.survived} survived${broken} (${secondsSince(startedAt)})`)
  return count.survived + count.broken === 0
}

/** Test file, and test name if given. Several mutations may share it. */
function runOf({ noticedBy, test }: NamedMutation): string {
  return test === undefined ? noticedBy : `${noticedBy}: ${test}`
}

/**
 * Runs the test files without mutation and returns the time of each run that passed. A test that fails here
 * can notice no mutation.
 */
async function runUnmutated(serverUrls: readonly string[]): Promise<Map<string, number>> {
  const beganAt = performance.now()
  const runs = new Map(selected.map((mutation) => [runOf(mutation), mutation]))
  const tookMs = new Map<string, number>()
  await atOnce([...runs], async ([name, { noticedBy: file, test }]) => {
    const runAt = performance.now()
    const env = environment(serverUrls)
    const { signal } = stop
    const result = await runTestFile({ file, test, cwd: root, env, limitMs: unmutatedLimitMs, signal })
    if (signal.aborted) return
    if (result.outcome === 'passed') tookMs.set(name, performance.now() - runAt)
    else say(`FAILED UNMUTATED  ${name}: ${describeResult(result)}`)
  })
  say(`${tookMs.size} of ${runs.size} runs of test files pass unmutated (${secondsSince(beganAt)})\n`)
  return tookMs
}

/** Prints and returns the result of a mutation; returns undefined if it was interrupted. */
async function tryOne(
  serverUrls: readonly string[],
  { name, guard, file, find, replace, noticedBy, test }: NamedMutation,
  usualMs: number | undefined,
): Promise<'caught' | 'survived' | 'broken' | undefined> {
  if (usualMs === undefined) return 'broken'
  const beganAt = performance.now()
  const mark = join(folder, `${name.replaceAll('/', '-')}.loaded`)
  const swap: ActiveMutation = { url: pathToFileURL(join(root, file)).href, find, replace, mark }
  const env = {
    ...environment(serverUrls),
    TEST_MUTATION: JSON.stringify(swap),
    NODE_OPTIONS: `--import=${hook}`,
  }
  const result = await runTestFile({
    file: noticedBy,
    test,
    cwd: root,
    env,
    limitMs: limitMs + limitTimes * usualMs,
    signal: stop.signal,
  })
  if (stop.signal.aborted) return undefined
  const where = `(${noticedBy}, ${secondsSince(beganAt)})`
  const isLoaded = existsSync(mark)
  if (!isLoaded || result.outcome === 'broken') {
    const why = isLoaded ? '' : `: ${file} was not loaded mutated`
    say(`BROKEN   ${name}  ${where}${why}\n${describeResult(result)}`)
    return 'broken'
  }
  if (result.outcome === 'passed') {
    say(`SURVIVED ${name}  ${where}\n         ${guard}`)
    return 'survived'
  }
  say(`caught   ${name}  by ${describeResult(result)} ${where}`)
  return 'caught'
}

function describeResult(result: TestResult): string {
  switch (result.outcome) {
    case 'passed':
      return 'nothing'
    case 'failed':
      return `"${result.test}"`
    case 'too slow':
      return 'the time limit'
    case 'broken':
      return result.output
  }
}

function environment(serverUrls: readonly string[]): NodeJS.ProcessEnv {
  return { ...process.env, ...testEnvironment(serverUrls, folder) }
}

/** Works on as many items at the same time as there are processors. */
async function atOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && !stop.signal.aborted; item = left.shift())
      await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, worker))
}

function secondsSince(ms: number): string {
  return secondsText(performance.now() - ms)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
