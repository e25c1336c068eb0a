import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Refused } from '../kit/input/refusals.ts'
import { NestpayShop } from '../testing/connectors/nestpay-shop.ts'
import { testApi } from '../testing/harness/api.ts'
import { testBank } from '../testing/harness/bank.ts'
import { TestClock } from '../testing/harness/clock.ts'
import { runTypedCommand, runVezne } from '../testing/harness/command-line.ts'
import { testDatabase } from '../testing/harness/database.ts'
import { chargeWith } from '../testing/harness/payer.ts'
import { createMerchant } from './merchants/index.ts'
import { ensureDemoPos, openPos, openSecretsOfPos, requirePos } from './pos/index.ts'

const database = await testDatabase()
const clock = new TestClock()
const { address } = await testBank({ sql: database.sql, clock })
const { services, merchant } = await testApi({ database, clock, env: { SANDBOX_URL: address } })
await ensureDemoPos(services, merchant)
const folder = mkdtempSync(join(tmpdir(), 'vezne-statement-'))
after(() => rmSync(folder, { recursive: true }))

const run = (...words: string[]) => runTypedCommand(services, words)
const header = 'day,terminal,reference,type,part,amount,currency,state,at'
const list = await run('pos', 'list', String(merchant.id))
const [sandbox = '', nestpay = ''] = ['sandbox', 'sandbox-nestpay'].map(
  (connector) => new RegExp(`^(\\d{14}) .* ${connector} `, 'm').exec(list)?.[1],
)

async function secretsOf(id: string): Promise<Record<string, string>> {
  const secrets = await openSecretsOfPos(services, await requirePos(services, Number(id)))
  assert.ok(secrets)
  return secrets
}

/** The refused option and the complaint. */
async function refusalOf(...words: string[]): Promise<[string, string]> {
  const refused = await run('sandbox', 'statement', ...words).catch((error: unknown) => error)
  assert.ok(refused instanceof Refused)
  const [[option, sentences] = ['', []]] = refused.complaints ?? []
  return [option, sentences[0]?.en ?? '']
}

describe('the statement of a POS at the sandbox', () => {
  it('is that of the connector’s terminal', async () => {
    const bank = await openPos(services, merchant, Number(sandbox))
    assert.ok(typeof bank !== 'string')
    assert.equal((await bank.authorize(chargeWith('5400360000000003', 'r1'))).outcome, 'approved')
    const { terminal } = await secretsOf(sandbox)
    const line = `2026-11-15,${terminal},r1,charge,,123.45,TRY,taken,2026-11-15T09:30:00+03:00`
    const words = ['sandbox', 'statement', '--pos', sandbox, '--day']
    assert.equal(await run(...words, '2026-11-15'), `${header}\n${line}`)
    assert.equal(await run(...words, '2026-11-14'), header)
    const file = join(folder, 'statement.csv')
    for (let time = 0; time < 2; time++) {
      assert.equal(await run(...words, '2026-11-15', '--file', file), '')
      assert.equal(readFileSync(file, 'utf8'), `${header}\n${line}\n`)
    }
    assert.deepEqual(readdirSync(folder), ['statement.csv'])
  })

  it('on NestPay is that of its store', async () => {
    const { client_id: clientId = '' } = await secretsOf(nestpay)
    await new NestpayShop(address, clientId).pay('5451030000000018', 'r2')
    assert.equal(
      await run('sandbox', 'statement', '--pos', nestpay, '--day', '2026-11-15'),
      `${header}\n2026-11-15,${clientId},r2,charge,,123.45,TRY,taken,2026-11-15T09:30:00+03:00`,
    )
  })
})

describe('wrong input', () => {
  it('is reported: an unknown POS, a POS of a real bank, an invalid day, a file that cannot be written', async () => {
    const live = await createMerchant(services, { name: 'Canlı Mağaza', live: true })
    const secrets = join(folder, 'secrets')
    writeFileSync(secrets, 'client_id=1\nname=2\npassword=3\nstore_key=4\n')
    after(() => rmSync(secrets, { force: true }))
    const pos = ['--name', 'İş', '--bank', '64', '--connector', 'nestpay', '--single-rate', '1.79']
    const setting = ['--setting', 'address=https://pos.example.com.tr', '--secrets', secrets]
    const added = await run('pos', 'add', String(live.merchant.id), ...pos, ...setting)
    const real = /^id +(\d{14})$/m.exec(added)?.[1] ?? ''
    const onDay = ['--day', '2026-11-15']
    assert.deepEqual(await refusalOf('--pos', '1', ...onDay), ['pos', 'There is no POS with this ID.'])
    assert.deepEqual(await refusalOf('--pos', real, ...onDay), [
      'pos',
      'This POS is not at the sandbox bank; its own bank provides its statement.',
    ])
    assert.deepEqual(await refusalOf('--pos', sandbox, '--day', '2026-11-31'), [
      'day',
      'Must be a day, for example 2026-11-15.',
    ])
    assert.deepEqual(await refusalOf('--pos', sandbox, ...onDay, '--file', join(folder, 'no', 'file')), [
      'file',
      'A file with this name could not be written.',
    ])
  })

  it('is reported by the command line too, including a wrong secret', async () => {
    const words = ['sandbox', 'statement', '--pos', sandbox, '--day', '2026-11-15']
    const env = { DATABASE_URL: database.url, VEZNE_SECRET: 'another secret for tests, as long as it' }
    const other = await runVezne(words, env)
    assert.deepEqual(
      [other.code, other.output],
      [1, 'The secrets of this POS cannot be opened with VEZNE_SECRET or VEZNE_SECRET_PREVIOUS.'],
    )
    const missing = await runVezne(words.slice(0, 4), env)
    assert.equal(missing.code, 2)
    assert.match(missing.output, /^--day: /m)
  })
})
