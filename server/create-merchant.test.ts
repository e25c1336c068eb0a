import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Keyring } from '../kit/security/keyring.ts'
import { runVezne } from '../testing/harness/command-line.ts'
import { testDatabase } from '../testing/harness/database.ts'
import { recordSealingKey } from './pos/index.ts'

const database = await testDatabase()
const env = { DATABASE_URL: database.url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
const type = (...words: string[]) => runVezne(words, env)
const idIn = (output: string) => /^merchant +(\d{14})/m.exec(output)?.[1] ?? ''

describe('vezne merchant create', () => {
  it('gives a test merchant two POS at the sandbox bank, so that it can be paid', async () => {
    const { code, output } = await type('merchant', 'create', '--name', 'Kitap Evi')
    assert.equal(code, 0, output)
    assert.equal(output.match(/^POS +\d{14} {2}Deneme \w+ POS$/gm)?.length, 2)
    const offer = await type('offer', '--merchant', idIn(output), '--bin', '45438800', '--amount', '10000')
    assert.equal(offer.code, 0, offer.output)
    assert.match(offer.output, /Deneme/)
  })

  it('gives a live merchant no POS, and prints the command that adds one', async () => {
    const { output } = await type('merchant', 'create', '--name', 'Kitap Evi', '--live', 'true')
    assert.doesNotMatch(output, /^POS/m)
    assert.match(
      output,
      new RegExp(`^The merchant has no POS yet\\. Next: vezne pos add ${idIn(output)}`, 'm'),
    )
    assert.equal((await type('pos', 'list', idIn(output))).code, 0)
  })

  it('creates no merchant if its POS cannot be created', async () => {
    await recordSealingKey({ sql: database.sql, keyring: new Keyring(env.VEZNE_SECRET, undefined) })
    const before = await type('merchant', 'list')
    const other = { ...env, VEZNE_SECRET: 'another secret, which the service does not have' }
    const { code, output } = await runVezne(['merchant', 'create', '--name', 'Kitap Evi'], other)
    assert.notEqual(code, 0, output)
    assert.deepEqual(await type('merchant', 'list'), before)
  })
})
