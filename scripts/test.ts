import { spawn } from 'node:child_process'
import { existsSync, globSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { startCluster } from './test/cluster.ts'
import { cacheFolder, testEnvironment } from './test/environment.ts'
import { exitWithError } from './test/exit-with-error.ts'
import { makeTestRunFolder } from './test/folder.ts'
import { secondsText, TestReport } from './test/report.ts'
import { runFiles } from './test/run-files.ts'
import { isFullRunOnly } from './test/tiers.ts'
import { longestFirst, saveTimes } from './test/times.ts'
import { programs } from './tidy/import-order.ts'

/**
 * Runs every check before a commit: format, lint, types, tidy and the tests, on a separate PostgreSQL.
 *
 * - `--all` runs the full tier too.
 * - `--keep-times` saves the time of each file.
 * - `npm test -- kit/text` runs only the tests of that folder or file, of both tiers.
 * - Other options go to the Node of every test file.
 */
const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')
const typesKnown = join(cacheFolder, 'types.tsbuildinfo')
const words = process.argv.slice(2)
const selected = words.filter((word) => !word.startsWith('-'))
const flags = words.filter((word) => word.startsWith('-') && !['--all', '--keep-times'].includes(word))
const isWhole = selected.length === 0
const isFull = words.includes('--all') || !isWhole
/**
 * The full tier often waits for processes that it starts. One more process than processors uses that time.
 */
const processes = Math.min(availableParallelism() + (isFull ? 1 : 0), 4)
const startedAt = performance.now()

// A signal ends the processes of the run; then the folder is removed.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())

const files = longestFirst(testFiles())
const report = new TestReport(files)
await Promise.all([isWhole && flags.length === 0 ? runChecks() : undefined, runTests()])
process.stdout.write(report.summary(secondsText(performance.now() - startedAt)))
if (words.includes('--keep-times')) saveTimes(report.tookMs, (file) => existsSync(join(root, file)))
process.exit(report.failed > 0 || interruption.signal.aborted ? 1 : 0)

/** Runs all checks even if one fails, so that one run reports all faults. */
async function runChecks(): Promise<void> {
  await Promise.all([
    // The incremental build skips files that have not changed since the last check.
    check('types', join(bin, 'tsc'), ['-p', '.', '--incremental', '--tsBuildInfoFile', typesKnown]),
    check('types of the reference in the browser', join(bin, 'tsc'), ['-p', 'server/reference/assets']),
    check('types of the payment page in the browser', join(bin, 'tsc'), ['-p', 'page']),
    check('types of the payment element', join(bin, 'tsc'), ['-p', 'element']),
    check('types of the demo shop in the browser', join(bin, 'tsc'), ['-p', 'demo/page']),
    check('format and lint', join(bin, 'biome'), ['check', '--error-on-warnings', '.']),
    check('tidy', process.execPath, ['scripts/tidy.ts']),
  ])
}

async function check(name: string, program: string, args: string[]): Promise<void> {
  const beganAt = performance.now()
  const { code, output } = await run(program, args)
  report.check(name, code === 0, output, secondsText(performance.now() - beganAt))
}

function testFiles(): string[] {
  if (isWhole)
    return globSync(`{${programs.filter((program) => program !== 'e2e').join(',')}}/**/*.test.ts`, {
      cwd: root,
    }).filter((file) => isFull || !isFullRunOnly(file))
  return selected.flatMap(filesAt)
}

/** Fails if the path has no test, because a run without tests would pass. */
function filesAt(path: string): string[] {
  if (matchesGlob(relative(root, join(root, path)), 'e2e{,/**}'))
    return exitWithError('The tests in e2e/ need a browser and a service: npm run e2e -- NAME')
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  const files = found?.isDirectory() ? globSync(`${path}/**/*.test.ts`, { cwd: root }) : [path]
  const isTest = found !== undefined && files.length > 0 && files.every((file) => /\.test\.\w+$/.test(file))
  return isTest ? files : exitWithError(`There is no test at ${path}. Tests are files that end in .test.ts.`)
}

async function runTests(): Promise<void> {
  const folder = makeTestRunFolder()
  try {
    const cluster = await startCluster(folder)
    try {
      const env = { ...testEnvironment(cluster.urls, folder), ...(isFull && { TEST_TIER: 'all' }) }
      await runFiles({ report, files, flags, env, folder, signal: interruption.signal, processes })
    } finally {
      await cluster.end()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Collects the output in one piece, because other processes write at the same time. */
function run(program: string, args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd: root,
    signal: interruption.signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
