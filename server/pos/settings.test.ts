import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refused } from '../../kit/input/refusals.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { posOfMerchant } from './store.ts'

const { services, merchant } = await testApi()

/** Output of a command, or its refusal. */
async function run(...words: string[]): Promise<string> {
  try {
    return await runTypedCommand(services, words)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [...(error.complaints?.values() ?? [])]
      .flat()
      .map(({ en }) => en)
      .join(' ')
  }
}

const about = ['--bank', '64', '--single-rate', '1.79']
let made = 0

async function add(...words: string[]): Promise<{ id: number; text: string }> {
  const name = `POS ${++made}`
  const text = await run('pos', 'add', String(merchant.id), '--name', name, ...about, ...words)
  const pos = (await posOfMerchant(services.sql, merchant.id)).find((each) => each.name === name)
  return { id: pos?.id ?? 0, text }
}

describe('the settings of a POS', () => {
  it('are the given values, and the defaults for the rest', async () => {
    const { id, text } = await add('--connector', 'sandbox', '--setting', 'challenge=04')
    assert.match(text, /challenge +04/)
    assert.match(text, /accepts +none/)
    const changed = await run('pos', 'change', String(id), '--setting', 'accepts=U, not_enrolled')
    assert.match(changed, /challenge +04/)
    assert.match(changed, /accepts +U not_enrolled/)
    assert.match(await run('pos', 'change', String(id), '--setting', 'challenge='), /challenge +01/)
  })

  it('are refused by name if they are invalid, and nothing is written', async () => {
    const refusals: [string, RegExp][] = [
      ['challenge=44', /challenge: .*01 to 09/],
      ['accepts=Y', /accepts: /],
      ['category=12', /category: .*four digits/],
      ['address=https://bank.example', /address is not a setting of this connector/],
      ['challenge', /NAME=value/],
    ]
    for (const [setting, why] of refusals) {
      const { id, text } = await add('--connector', 'sandbox', '--setting', setting)
      assert.match(text, why)
      assert.equal(id, 0)
    }
  })
})

describe('the currencies of a POS', () => {
  it('must be currencies that its connector supports', async () => {
    const { id, text } = await add('--connector', 'sandbox-nestpay', '--currencies', 'CHF')
    assert.match(text, /currencies: TRY, USD, EUR, GBP, RUB/)
    assert.equal(id, 0)
    const { id: kept } = await add('--connector', 'sandbox-nestpay', '--currencies', 'TRY')
    assert.match(await run('pos', 'change', String(kept), '--currencies', 'CHF'), /supports these currencies/)
    assert.ok((await add('--connector', 'sandbox', '--currencies', 'CHF')).id > 0)
  })
})
