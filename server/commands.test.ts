import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { runVezne } from '../testing/harness/command-line.ts'
import { emptyDatabase, testDatabase } from '../testing/harness/database.ts'
import { isServing, makeUsedHome, serverPid } from '../testing/harness/embedded-home.ts'
import { startProcess } from '../testing/harness/process.ts'
import { commands } from './commands.ts'

const { url } = await testDatabase()
const onTestDatabase = { DATABASE_URL: url, VEZNE_SECRET: 'a secret for tests, long enough for it' }

/** Runs the command in its own process. Returns its output and exit code. */
async function typedInShell(t: TestContext, words: string[], env: Record<string, string> = onTestDatabase) {
  const process = startProcess(t, ['./vezne', ...words], env)
  const code = await process.ended
  return { code, output: process.output() }
}

/** Runs the command without a process. The process itself is tested once for every kind of command. */
const typed = (words: string[]) => runVezne(words, onTestDatabase)

describe('merchants and keys', () => {
  it('a merchant can be created, listed, shown, updated, suspended and resumed; its keys created, listed and revoked', async (t) => {
    const made = await typedInShell(t, [
      'merchant',
      'create',
      '--name',
      'Işık Kitabevi',
      '--origins',
      'https://a.example',
      '--origins',
      'https://b.example',
    ])
    assert.equal(made.code, 0)
    const id = /^merchant +(\d{14}) {2}Işık Kitabevi \(test\)$/m.exec(made.output)?.[1] ?? ''
    const key = /^secret key +(sk_test_\w{38})$/m.exec(made.output)?.[1] ?? ''
    assert.match(made.output, /^public key +pk_test_\w{38}$/m)

    const list = await typed(['merchant', 'list'])
    assert.match(list.output, new RegExp(`^${id} +test +active +\\S+ +Işık Kitabevi$`, 'm'))

    const changed = await typed([
      'merchant',
      'change',
      id,
      '--white-label',
      'true',
      '--language',
      'en',
      '--colour',
      '#0B5FFF',
      '--clear',
      'origins',
    ])
    assert.match(changed.output, /^white-label +true$/m)
    assert.match(changed.output, /^origins +none$/m)
    assert.match(changed.output, /^colour +#0B5FFF$/m)

    const settled = await typed(
      `merchant change ${id} --settlement-days 0 --pre-auth-deadline-hours 48 --at-pre-auth-deadline capture`.split(
        ' ',
      ),
    )
    assert.match(settled.output, /^settlement-days +0$/m)
    assert.match(settled.output, /^pre-auth-deadline-hours +48$/m)
    assert.match(settled.output, /^at-pre-auth-deadline +capture$/m)
    const cleared = await typed(['merchant', 'change', id, '--clear', 'pre-auth-deadline-hours'])
    assert.match(cleared.output, /^pre-auth-deadline-hours +none$/m)
    assert.match(cleared.output, /^settlement-days +0$/m)

    const contact = ['--website', 'https://kitap.example', '--support-email', 'soru@kitap.example']
    const shown = await typed(['merchant', 'change', id, ...contact, '--support-phone', '0090 212 111 22 33'])
    assert.match(shown.output, /^website +https:\/\/kitap\.example\/$/m)
    assert.match(shown.output, /^support-email +soru@kitap\.example$/m)
    assert.match(shown.output, /^support-phone +\+902121112233$/m)
    for (const setting of ['website', 'support-email', 'support-phone'])
      assert.match(
        (await typed(['merchant', 'change', id, '--clear', setting])).output,
        new RegExp(`^${setting} +none$`, 'm'),
      )

    const live = await typed([
      'merchant',
      'create',
      '--name',
      'Canlı',
      '--live',
      '--website',
      'http://k.example',
    ])
    assert.equal(live.code, 2)
    assert.match(live.output, /website.*must begin with https/)

    assert.match((await typed(['merchant', 'suspend', id])).output, /is suspended/)
    assert.match((await typed(['merchant', 'show', id])).output, /^state +suspended$/m)
    assert.match((await typed(['merchant', 'resume', id])).output, /is active/)

    const second = await typed(['key', 'create', id, '--scope', 'secret', '--label', 'order service'])
    const keyId = /^key (\d{14}) of merchant/m.exec(second.output)?.[1] ?? ''
    assert.match((await typed(['key', 'revoke', keyId])).output, /is revoked/)
    const keys = await typed(['key', 'list', id])
    assert.match(
      keys.output,
      new RegExp(`^${keyId} +secret +sk_test_\\w{4}…\\w{4} +\\S+ +2\\S+ +order service$`, 'm'),
    )
    assert.ok(!keys.output.includes(key), 'a list never shows a key')
    assert.deepEqual((await typed(['key', 'revoke', keyId])).code, 2)
  })

  it('wrong input is reported completely, exits with 2 and changes nothing', async () => {
    const words = [
      'merchant',
      'create',
      '--name',
      ' ',
      '--language',
      'de',
      '--country',
      'XX',
      '--currency',
      'JPY',
    ]
    const more = [
      '--time-zone',
      'Mars',
      '--page-lifetime-minutes',
      '1',
      '--origins',
      'https://a.example/path',
      '--colour',
      'red',
      '--website',
      'javascript:alert(1)',
      '--support-email',
      'nobody',
      '--support-phone',
      '12',
      '--settlement-days',
      '91',
      '--pre-auth-deadline-hours',
      '0',
      '--at-pre-auth-deadline',
      'keep',
    ]
    const { code, output } = await typed([...words, ...more])
    assert.equal(code, 2)
    for (const name of [
      'name',
      'language',
      'country',
      'currency',
      'time-zone',
      'page-lifetime-minutes',
      'origins \\(value 1\\)',
      'colour',
      'website',
      'support-email',
      'support-phone',
      'settlement-days',
      'pre-auth-deadline-hours',
      'at-pre-auth-deadline',
    ]) {
      assert.match(output, new RegExp(`^--${name}: `, 'm'))
    }
    assert.match(
      (await typed(['merchant', 'show', '12345678901234'])).output,
      /MERCHANT: There is no merchant with this ID/,
    )
    assert.match((await typed(['merchant', 'show', 'x'])).output, /MERCHANT: Must be a whole number/)
    assert.match((await typed(['merchant', 'list', '--nope', '1'])).output, /Unknown option --nope/)
    assert.equal((await typed(['merchant', 'change', '12345678901234'])).code, 2)
  })
})

describe('help', () => {
  it('shows every command with an example, and the options of each command', async (t) => {
    const { code, output } = await typedInShell(t, ['help'])
    assert.equal(code, 0)
    for (const name of [
      'start',
      'serve',
      'work',
      'migrate',
      'merchant create',
      'merchant suspend',
      'key revoke',
    ]) {
      assert.match(output, new RegExp(`^vezne ${name}$`, 'm'))
    }
    for (const words of [[], ['--help'], ['-h'], ['help', '--help']])
      assert.equal((await typed(words)).output, output)
    assert.match(
      (await typed(['help', 'key', 'create'])).output,
      /--scope .*\n {36}.*One of secret, public\. Required\./,
    )
    assert.match((await typed(['key', 'create', '--help'])).output, /--scope/)
    const { output: ofNoun } = await typed(['help', 'merchant'])
    assert.match(ofNoun, /merchant list.*merchant suspend/s)
    assert.doesNotMatch(ofNoun, /\[true\|false\]\S/)
    assert.deepEqual(await typed(['merchant', '--help']), { code: 0, output: ofNoun })
    const { output: ofTrigger } = await typed(['help', 'trigger'])
    assert.match(ofTrigger, /^ {2}KIND +Kind of event\. Required\. .*\n {36}\S.*refund\.amount_differs\.$/ms)
    for (const line of `${ofTrigger}\n${ofNoun}`.split('\n')) assert.ok(line.length <= 100, line)
    assert.match((await typed(['version'])).output, /^vezne \d+\.\d+\.\d+$/)
  })

  it('reports an unknown command', async (t) => {
    const { code, output } = await typedInShell(t, ['merchant', 'crate'])
    assert.equal(code, 2)
    assert.match(output, /Unknown command "merchant crate"/)
  })

  it('a renamed command is refused under its old name with the new one', async () => {
    const renamed = '"vezne payment conclude" is now called "vezne payment settle-outcome".'
    assert.deepEqual(await typed(['payment', 'conclude', '10000000012345', '--outcome', 'taken']), {
      code: 2,
      output: renamed,
    })
    assert.deepEqual(await typed(['help', 'payment', 'conclude']), { code: 2, output: renamed })
    assert.match((await typed(['payment', 'settle', '1'])).output, /called "vezne payment settle-difference"/)
  })

  it('lists every command once', () => {
    const names = commands.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
  })
})

describe('loading', () => {
  const loadedBy = async (t: TestContext, ...words: string[]): Promise<string[]> => {
    const hook = './testing/harness/loaded-modules.ts'
    const run = startProcess(
      t,
      [process.execPath, '--import', hook, 'server/main.ts', ...words],
      onTestDatabase,
    )
    assert.equal(await run.ended, 0, run.output())
    return JSON.parse(await run.waitForLine('"loaded"')).loaded
  }

  it('the help loads only the command lists and no package', async (t) => {
    const loaded = await loadedBy(t, 'help')
    const isLight = (module: string) => /^server\/(main|config|([^/]+\/)?commands)\.ts$/.test(module)
    assert.deepEqual(
      loaded.filter((module) => !isLight(module)),
      [],
    )
  })

  it('a command loads only its own feature and the packages for the database', async (t) => {
    const loaded = await loadedBy(t, 'merchant', 'list')
    const packages = loaded.filter((module) => !/^(server|kit)\/|^(pg|postgres)-/.test(module))
    const ofFeatures = new Set(
      loaded.flatMap((module) => /^server\/([^/]+)\/(?!commands\.ts)/.exec(module)?.[1] ?? []),
    )
    assert.deepEqual([...ofFeatures].toSorted(), ['connectors', 'database', 'instances', 'merchants'])
    assert.deepEqual(packages.toSorted(), ['pg', 'sql-template-tag', 'xtend'])
  })
})

it('only vezne migrate migrates the schema, and it reports an unreachable database', async (t) => {
  const empty = { ...onTestDatabase, DATABASE_URL: (await emptyDatabase()).url }
  assert.notEqual(
    (await runVezne(['merchant', 'list'], empty)).code,
    0,
    'a one-shot command does not migrate by the way',
  )
  assert.match((await typedInShell(t, ['migrate'], empty)).output, /The database has schema level \d+/)
  assert.equal((await runVezne(['merchant', 'list'], empty)).code, 0)
  assert.match((await typedInShell(t, ['migrate'])).output, /The database has schema level \d+/)
  const away = await typedInShell(t, ['migrate'], {
    ...onTestDatabase,
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
    DATABASE_WAIT_SECONDS: '0',
  })
  assert.equal(away.code, 1)
  assert.match(away.output, /ECONNREFUSED/)
})

it('without a running service a command starts the embedded database and stops it afterwards', async (t) => {
  const home = await makeUsedHome(t)
  const { code, output } = await typedInShell(t, ['merchant', 'list'], { VEZNE_HOME: home })
  assert.equal(code, 0, output)
  assert.match(output, /There is no merchant yet/)
  assert.ok(!isServing(home, serverPid(home)))
})
