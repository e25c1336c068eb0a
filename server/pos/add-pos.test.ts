import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Refused } from '../../kit/input/refusals.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { createMerchant } from '../merchants/index.ts'
import { openSecrets } from './secrets.ts'
import { posOfMerchant, posWithCommissions, sealedSecretsOf } from './store.ts'

const api = await testApi()
const { services } = api
const folder = mkdtempSync(join(tmpdir(), 'vezne-pos-'))
after(() => rmSync(folder, { recursive: true }))

const run = (...words: string[]) => runTypedCommand(services, words)
const basics = ['--bank', '0062', '--connector', 'sandbox', '--single-rate', '1,79']

function secretFile(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function newMerchant(live = false) {
  const { merchant } = await createMerchant(services, { name: 'Mağaza', live })
  return merchant
}

async function faultOf(words: string[]): Promise<string[]> {
  try {
    await run(...words)
  } catch (error) {
    if (error instanceof Refused) return [...(error.complaints?.keys() ?? [])]
    throw error
  }
  return []
}

describe('a POS', () => {
  it('is added with the given fields, and with Turkish defaults for the rest', async () => {
    const merchant = await newMerchant()
    const printed = await run('pos', 'add', String(merchant.id), '--name', 'Garanti', ...basics)
    const [pos] = await posOfMerchant(services.sql, merchant.id)
    assert.ok(pos)
    assert.match(printed, new RegExp(`id +${pos.id}`))
    const { id: _, createdAt: _made, updatedAt: _changed, ...rest } = pos
    assert.deepEqual(rest, {
      merchantId: merchant.id,
      name: 'Garanti',
      bankCode: 62,
      connector: 'sandbox',
      currencies: ['TRY'],
      families: [],
      state: 'active',
      priority: 10,
      settings: {},
    })
  })

  it('has a rate for single payments with any card from the start', async () => {
    const merchant = await newMerchant()
    await run(
      'pos',
      'add',
      String(merchant.id),
      '--name',
      'Garanti',
      ...basics,
      '--commercial-single-rate',
      '2.5',
    )
    const [priced] = await posWithCommissions(services.sql, merchant.id, api.clock.now())
    const rates = priced?.commissions.map(({ family, segment, installment, rate }) => [
      family,
      segment,
      installment,
      rate,
    ])
    assert.deepEqual(rates?.toSorted(), [
      ['other', 'commercial', 1, 25_000],
      ['other', 'personal', 1, 17_900],
    ])
  })

  it('has a unique name within its merchant, not across merchants', async () => {
    const merchant = await newMerchant()
    const add = (id: number) => ['pos', 'add', String(id), '--name', 'Garanti', ...basics]
    await run(...add(merchant.id))
    assert.deepEqual(await faultOf(add(merchant.id)), ['name'])
    assert.equal((await posOfMerchant(services.sql, merchant.id)).length, 1)
    await run(...add((await newMerchant()).id))
  })

  it('with invalid fields is refused with all their names, and nothing is added', async () => {
    const merchant = await newMerchant()
    const words = [
      'pos',
      'add',
      String(merchant.id),
      '--name',
      'x',
      '--bank',
      '9999',
      '--connector',
      'nowhere',
    ]
    const more = [
      '--single-rate',
      '101',
      '--currencies',
      'JPY',
      '--families',
      'gold',
      '--state',
      'on',
      '--priority',
      '0',
    ]
    assert.deepEqual((await faultOf([...words, ...more])).toSorted(), [
      'bank',
      'connector',
      'currencies.0',
      'families.0',
      'priority',
      'single_rate',
      'state',
    ])
    assert.deepEqual(await faultOf(['pos', 'add', '1', '--name', 'x', ...basics]), ['merchant'])
    assert.deepEqual(await posOfMerchant(services.sql, merchant.id), [])
  })

  it('of a live merchant is never at the sandbox bank', async () => {
    const merchant = await newMerchant(true)
    assert.deepEqual(await faultOf(['pos', 'add', String(merchant.id), '--name', 'x', ...basics]), [
      'connector',
    ])
    assert.deepEqual(await posOfMerchant(services.sql, merchant.id), [])
  })

  it('of a live merchant needs the address of its bank; a test merchant cannot use a live connector', async () => {
    const nestpay = ['--name', 'x', '--bank', '64', '--connector', 'nestpay', '--single-rate', '1.79']
    const file = secretFile('nestpay', 'client_id=700655000200\nname=API\npassword=p\nstore_key=k\n')
    const at = (address: string) => ['--secrets', file, '--setting', `address=${address}`]
    const bank = 'https://sanalpos.example.com.tr'
    const merchant = await newMerchant(true)
    const add = ['pos', 'add', String(merchant.id), ...nestpay]
    assert.deepEqual(await faultOf(add), ['secrets'])
    assert.deepEqual(await faultOf([...add, '--secrets', file]), ['setting'])
    for (const address of ['http://sanalpos.example.com.tr', 'https://127.0.0.1', `${bank}/fim/api`])
      assert.deepEqual(await faultOf([...add, ...at(address)]), ['setting'])
    await run(...add, ...at(bank), '--setting', 'accept_half_3d=yes')
    const [pos] = await posOfMerchant(services.sql, merchant.id)
    assert.deepEqual(pos?.settings, { address: bank, accept_half_3d: 'yes' })
    const test = await newMerchant()
    assert.deepEqual(await faultOf(['pos', 'add', String(test.id), ...nestpay, ...at(bank)]), ['connector'])
  })
})

describe('the secrets of a POS', () => {
  const secret = 'gizli-şifre-42'

  it('are stored sealed, open only for their own row, and are never shown', async () => {
    const merchant = await newMerchant()
    const file = secretFile('secrets', `TERMINAL=30691298\npassword="${secret}"\n`)
    const added = await run(
      'pos',
      'add',
      String(merchant.id),
      '--name',
      'Garanti',
      ...basics,
      '--secrets',
      file,
    )
    const [pos] = await posOfMerchant(services.sql, merchant.id)
    assert.ok(pos)
    const sealed = await sealedSecretsOf(services.sql, pos)
    assert.deepEqual(openSecrets(services, sealed), { terminal: '30691298', password: secret })
    assert.throws(() => openSecrets(services, { ...sealed, id: pos.id + 1 }))
    const shown = [
      added,
      await run('pos', 'list'),
      await run('pos', 'show', String(pos.id)),
      await run('pos', 'change', String(pos.id), '--priority', '3'),
      JSON.stringify(pos),
      JSON.stringify(await services.sql.many(sql`select pos_credentials::text from pos_credentials`)),
      api.lines.join('\n'),
    ]
    for (const text of shown) {
      assert.ok(!text.includes(secret) && !text.includes('30691298'))
      assert.ok(!text.includes(Buffer.from(secret).toString('hex')))
    }
  })

  it('are kept exactly, with any characters', async () => {
    const merchant = await newMerchant()
    const values = ['a#b', 'a #b', '"a"b"', "it's", 'a=b', 'a\\nb', '  a\t', '\'"a" #\'', '"']
    const expected = ['a#b', 'a #b', 'a"b', "it's", 'a=b', 'a\\nb', 'a', '"a" #', '"']
    for (const [index, value] of values.entries()) {
      const file = secretFile('letters', `# from the bank\r\n\r\nTerminal = 1\r\nPASSWORD=${value}\r\n`)
      const name = `POS ${index}`
      await run('pos', 'add', String(merchant.id), '--name', name, ...basics, '--secrets', file)
      const pos = (await posOfMerchant(services.sql, merchant.id)).find((each) => each.name === name)
      assert.ok(pos)
      const secrets = openSecrets(services, await sealedSecretsOf(services.sql, pos))
      assert.deepEqual(secrets, { terminal: '1', password: expected[index] })
    }
  })

  it('in a file with a missing or unknown name, or an unreadable file, are refused without showing its content', async () => {
    const merchant = await newMerchant()
    const files = [
      secretFile('lacking', `TERMINAL=${secret}\n`),
      secretFile('strange', `TERMINAL=1\nPASSWORD=2\nPASWORD=${secret}\n`),
      secretFile('twice', `TERMINAL=1\nPASSWORD=2\nterminal=${secret}\n`),
      secretFile('no line', `TERMINAL=1\nPASSWORD=2\n${secret}\n`),
      secretFile('latin1', Buffer.from([0xff, 0xfe]).toString('latin1')),
      secretFile('large', `TERMINAL=1\nPASSWORD=${'x'.repeat(65_536)}\n`),
      '/dev/zero',
      join(folder, 'nowhere'),
      folder,
    ]
    for (const file of files) {
      const words = ['pos', 'add', String(merchant.id), '--name', 'x', ...basics, '--secrets', file]
      const error = await run(...words).catch((caught: unknown) => caught)
      assert.ok(error instanceof Refused, file)
      assert.deepEqual([...(error.complaints?.keys() ?? [])], ['secrets'])
      assert.ok(!JSON.stringify([...(error.complaints ?? [])]).includes(secret))
    }
    assert.deepEqual(await posOfMerchant(services.sql, merchant.id), [])
  })
})
