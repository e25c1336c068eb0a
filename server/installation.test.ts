import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '../kit/runtime/clock.ts'
import { systemRandom } from '../kit/security/random.ts'
import { runVezne } from '../testing/harness/command-line.ts'
import { silentLog } from '../testing/harness/database.ts'
import {
  isServing,
  makeHome,
  makeUsedHome,
  queryEmbedded,
  serverPid,
} from '../testing/harness/embedded-home.ts'
import { freePorts, startProcess } from '../testing/harness/process.ts'
import { oneShotCommands } from './commands.ts'
import { readConfig } from './config.ts'
import { openInstallation } from './installation.ts'

const outside = { clock: systemClock, random: systemRandom, log: silentLog }
const nothingThere = /^There is no Vezne installation at \S+ \(VEZNE_HOME\)\. Run `vezne start` there first/m

/** Valid arguments for commands that require some. */
const words: Record<string, string> = {
  'merchant create': '--name Işık',
  'key create': '10000000000001 --scope secret',
  'bins import': 'bins.csv --source BKM --as-of 2026-11-15',
  'bins show': '54003600',
  'pos add': '10000000000001 --name A --bank 62 --connector sandbox --single-rate 1.79',
  'rate set': '10000000000001 --family bonus --rate 1=1.79',
  'rate end': '10000000000001 --family bonus --installment 9',
  offer: '--bin 40430800 --amount 10000',
  'payment settle-outcome': '10000000012345 --outcome not_taken --by A --reason B',
  'refund approve': '10000000000456 --by A --reason B',
  'payment verify': '10000000000001 --amount 1000 --by A --reason B',
  'payment settle-difference': '10000000000001 --choice accept --by A --reason B',
  'refund reject': '10000000000456 --by A --reason B',
  reconcile: '--file a.csv --pos 10000000000007',
  'webhook resend-failed': '10000000000701 --since 2026-11-15',
  'sandbox statement': '--pos 10000000000004 --day 2026-11-15 --file a.csv',
  trigger: 'payment.succeeded',
}

async function wordsOf({ name, load }: (typeof oneShotCommands)[number]): Promise<string[]> {
  const { positionals, input } = await load()
  const needed = positionals
    .filter((positional) => input.required?.includes(positional))
    .map(() => '10000000000001')
  return [...name.split(' '), ...(words[name]?.split(' ') ?? needed)]
}

describe('a home without an installation', () => {
  it('is not created by any one-shot command; it gives instructions and exits with 1', async (t) => {
    const home = join(makeHome(t), 'none')
    for (const listed of oneShotCommands) {
      const typed = await wordsOf(listed)
      const { code, output } = await runVezne(typed, { VEZNE_HOME: home })
      assert.match(output, nothingThere, typed.join(' '))
      assert.equal(code, 1, typed.join(' '))
    }
    assert.ok(!existsSync(home))
  })

  it('is created by start and by no other program', async (t) => {
    const home = join(makeHome(t), 'none')
    const env = { ...(await freePorts()), VEZNE_HOME: home }
    const run = async (name: string) => {
      const program = startProcess(t, [process.execPath, 'server/main.ts', name], env)
      assert.deepEqual([name, await program.ended], [name, 1])
      assert.match(program.output(), nothingThere)
    }
    await Promise.all(['serve', 'work', 'sandbox', 'migrate'].map(run))
    assert.ok(!existsSync(home))
  })

  it('may have a folder, a secret, or leftovers of a killed start; the next start repairs it', async (t) => {
    const home = makeHome(t)
    const list = () => runVezne(['merchant', 'list'], { VEZNE_HOME: home })
    assert.match((await list()).output, nothingThere)
    assert.deepEqual(readdirSync(home), [])
    writeFileSync(join(home, 'secret'), 'a secret for tests, long enough for it\n', { mode: 0o600 })
    mkdirSync(join(home, 'postgres', 'new-4194304-0a1b2c3d'), { recursive: true })
    assert.match((await list()).output, nothingThere)
    assert.deepEqual(readdirSync(join(home, 'postgres')), ['new-4194304-0a1b2c3d'])

    const config = readConfig({ VEZNE_HOME: home })
    const made = await openInstallation(config, { role: 'service', makesHome: true, ...outside })
    assert.equal(made.secret, 'a secret for tests, long enough for it')
    await made.release()
    assert.deepEqual(await list(), {
      code: 0,
      output: 'There is no merchant yet. To create one: vezne merchant create',
    })
  })

  it('does not prevent help, the version and argument errors', async (t) => {
    const env = { VEZNE_HOME: join(makeHome(t), 'none') }
    assert.equal((await runVezne(['help'], env)).code, 0)
    assert.equal((await runVezne(['help', 'merchant'], env)).code, 0)
    assert.equal((await runVezne(['version'], env)).code, 0)
    assert.match((await runVezne(['merchant', 'show', 'x'], env)).output, /MERCHANT: Must be a whole number/)
    assert.ok(!existsSync(env.VEZNE_HOME))
  })
})

it('an unusable home is reported with its setting', async (t) => {
  const home = makeHome(t)
  const file = join(home, 'file')
  const circle = join(home, 'circle')
  writeFileSync(file, '')
  symlinkSync('circle', circle)
  for (const positional of [file, join(file, 'below'), circle, join(home, 'a'.repeat(300))]) {
    assert.match(
      (await runVezne(['merchant', 'list'], { VEZNE_HOME: positional })).output,
      nothingThere,
      positional,
    )
    const opening = openInstallation(readConfig({ VEZNE_HOME: positional }), {
      ...{ role: 'service', makesHome: true, ...outside },
    })
    await assert.rejects(opening, /^Error: The home \S+ \(VEZNE_HOME\) cannot be used: E[A-Z]+: /, positional)
  }
  assert.deepEqual(readdirSync(home).toSorted(), ['circle', 'file'])
})

it('a home without its secret gets no new one, from a command or a start', async (t) => {
  const home = await makeUsedHome(t)
  rmSync(join(home, 'secret'))
  const missing = /^The secret of the installation at \S+ is missing\. Restore \S+secret from a backup/
  const { code, output } = await runVezne(['merchant', 'list'], { VEZNE_HOME: home })
  assert.match(output, missing)
  assert.equal(code, 1)
  const opening = openInstallation(readConfig({ VEZNE_HOME: home }), {
    ...{ role: 'service', makesHome: true, ...outside },
  })
  await assert.rejects(opening, { message: missing })
  assert.ok(!existsSync(join(home, 'secret')))
  assert.ok(!isServing(home, serverPid(home)))
  const set = { VEZNE_HOME: home, VEZNE_SECRET: 'a secret for tests, long enough for it' }
  assert.equal((await runVezne(['merchant', 'list'], set)).code, 0)
})

it('a new installation has a secret and a database, which stay after it is released', async (t) => {
  const home = makeHome(t)
  rmSync(home, { recursive: true })
  const config = readConfig({ VEZNE_HOME: home })
  const { connection, release } = await openInstallation(config, {
    ...{ role: 'service', makesHome: true, ...outside },
  })
  assert.ok('host' in connection)
  assert.deepEqual(await queryEmbedded(connection, 'select 1 as alive'), [{ alive: 1 }])
  await release()
  assert.deepEqual(readdirSync(home).toSorted(), ['postgres', 'postgres.log', 'secret'])
})
