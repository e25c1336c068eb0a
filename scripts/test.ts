import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../server/database/embedded/index.ts'
import { migrate } from '../server/database/migrate.ts'
import { openDatabase } from '../server/database/pool.ts'
import { systemClock } from '../server/kit/clock.ts'
import { systemRandom } from '../server/kit/random.ts'
import { silentLog, templateDatabase } from '../server/testing/database.ts'

/**
 * Everything that must hold before a change lands: format, lint, types, tidy and the tests, on a PostgreSQL of its own.
 * `npm test -- server/kit` runs the tests of that folder or file alone, without the other checks; words that begin
 * with a dash go to Node's test runner.
 */
const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'))

if (wanted.length === 0) {
  await check('format and lint', join(bin, 'biome'), ['check', '--error-on-warnings', '.'])
  await check('types', join(bin, 'tsc'), ['-p', '.'])
  await check('types in the browser', join(bin, 'tsc'), ['-p', 'server/reference/assets'])
  await check('tidy', process.execPath, ['scripts/tidy.ts'])
}
process.exit(await runTests(testFiles()))

async function check(name: string, program: string, words: string[]): Promise<void> {
  const startedAt = performance.now()
  const code = await run(program, words)
  if (code !== 0) {
    process.stderr.write(`\n${name}: failed\n`)
    process.exit(code)
  }
  process.stdout.write(`${name}: fine (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`)
}

function testFiles(): string[] {
  if (wanted.length === 0) return globSync('{server,scripts,bench}/**/*.test.ts', { cwd: root }).sort()
  return wanted.flatMap((place) =>
    statSync(join(root, place)).isDirectory()
      ? globSync(`${place}/**/*.test.ts`, { cwd: root }).sort()
      : [place],
  )
}

/** One PostgreSQL for the whole run; every test file clones its database from a migrated template. */
async function runTests(files: string[]): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'vezne-test-'))
  const outside = { clock: systemClock, random: systemRandom, log: silentLog }
  const embedded = await startEmbedded({ home, role: 'service', ...outside })
  const { host, user } = embedded.connection
  const url = (name: string) => `postgres://${user}@${encodeURIComponent(host)}/${name}`
  try {
    await makeTemplate(url)
    const words = ['--test', '--test-concurrency=2', '--test-timeout=240000', ...flags, ...files]
    return await run(process.execPath, words, {
      TEST_DATABASE_URL: url('postgres'),
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    })
  } finally {
    await embedded.release()
    rmSync(home, { recursive: true, force: true })
  }
}

async function makeTemplate(url: (name: string) => string): Promise<void> {
  const admin = new pg.Client({ connectionString: url('postgres') })
  await admin.connect()
  await admin.query(`create database ${templateDatabase}`)
  await admin.end()
  const database = openDatabase({ url: url(templateDatabase) }, 2, silentLog)
  await migrate(database.sql, silentLog)
  await database.close()
}

function run(program: string, words: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(program, words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  // Whoever tells us to end tells what we run, and we clean up behind it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
