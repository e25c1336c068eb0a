import { spawn } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startCluster } from './test/cluster.ts'
import { makeFolder } from './test/folder.ts'
import { runFiles } from './test/run-files.ts'
import { sharesOf } from './test/shares.ts'

/**
 * Everything that must hold before a change lands: format, lint, types, tidy and the tests, on a PostgreSQL of its own.
 * `npm test -- server/kit` runs the tests of that folder or file alone, without the other checks; words that begin
 * with a dash go to the Node of every test file.
 */
const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')
const cache = join(root, 'node_modules', '.cache')
const typesKnown = join(cache, 'types.tsbuildinfo')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'))
const startedAt = performance.now()

// Whoever tells us to end tells what we run, and we clean up behind it.
const told = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => told.abort())

const areFine = wanted.length > 0 || (await checks())
const isFine = areFine && (await runTests(testFiles()))
process.stdout.write(`\n${isFine ? 'All is well' : 'Something failed'} (${secondsSince(startedAt)})\n`)
process.exit(isFine ? 0 : 1)

/** Beside each other, and all of them: whoever has two things to mend is told of both. */
async function checks(): Promise<boolean> {
  const results = await Promise.all([
    // What has not changed since it was last found right is not looked at again.
    check('types', join(bin, 'tsc'), ['-p', '.', '--incremental', '--tsBuildInfoFile', typesKnown]),
    check('types of the reference in the browser', join(bin, 'tsc'), ['-p', 'server/reference/assets']),
    check('types of the payment page in the browser', join(bin, 'tsc'), ['-p', 'page']),
    check('types of the payment element', join(bin, 'tsc'), ['-p', 'element']),
    check('types of the demo shop in the browser', join(bin, 'tsc'), ['-p', 'demo']),
    check('format and lint', join(bin, 'biome'), ['check', '--error-on-warnings', '.']),
    check('tidy', process.execPath, ['scripts/tidy.ts']),
  ])
  return results.every((isGood) => isGood)
}

async function check(name: string, program: string, words: string[]): Promise<boolean> {
  const beganAt = performance.now()
  const { code, output } = await run(program, words)
  process.stdout.write(`${output}${name}: ${code === 0 ? 'fine' : 'failed'} (${secondsSince(beganAt)})\n`)
  return code === 0
}

function secondsSince(ms: number): string {
  return `${((performance.now() - ms) / 1000).toFixed(1)} s`
}

function testFiles(): string[] {
  if (wanted.length === 0)
    return globSync('{server,scripts,bench,page,element,demo}/**/*.test.ts', { cwd: root }).sort()
  return wanted.flatMap((place) =>
    statSync(join(root, place)).isDirectory()
      ? globSync(`${place}/**/*.test.ts`, { cwd: root }).sort()
      : [place],
  )
}

async function runTests(files: string[]): Promise<boolean> {
  const folder = makeFolder()
  try {
    const cluster = await startCluster(folder)
    try {
      const env = {
        TEST_DATABASE_URL: cluster.url,
        TMPDIR: folder,
        NODE_COMPILE_CACHE: join(cache, 'compiled'),
        // No module lies behind a link, and to look for one takes a tenth of every start.
        NODE_PRESERVE_SYMLINKS: '1',
      }
      // Words for Node may leave tests out, and a file in company of which none is left would never come to its end.
      const shares = flags.length > 0 ? files.map((file) => [file]) : sharesOf(files)
      return await runFiles({ shares, flags, env, folder, signal: told.signal })
    } finally {
      await cluster.end()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What it says is kept together: others write at the same time. */
function run(program: string, words: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(program, words, { cwd: root, signal: told.signal, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
