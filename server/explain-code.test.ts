import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runVezne } from '../testing/harness/command-line.ts'

const explain = (...words: string[]) => runVezne(['explain', ...words], {})

describe('vezne explain', () => {
  it('prints the meaning of a transaction code, what the payer saw and what to do', async () => {
    const { code, output } = await explain('51')
    assert.equal(code, 0)
    assert.match(output, /^meaning +Insufficient funds\.$/m)
    assert.match(output, /^payer saw +Your card does not have enough balance or limit/m)
    assert.match(output, /^try again +With another card\.$/m)
  })

  it('prints the same in Turkish', async () => {
    const { output } = await explain('51', '--language', 'tr')
    assert.match(output, /^anlamı +Yetersiz bakiye veya limit\.$/m)
  })

  it('takes a code of 3-D Secure in lower case', async () => {
    const { output } = await explain('3ds-not-enrolled')
    assert.match(output, /^code +3DS-NOT-ENROLLED$/m)
  })

  it('prints each error of the API that has the code', async () => {
    const { output } = await explain('901')
    assert.match(output, /^error code +901$/m)
    assert.match(output, /^HTTP status +422$/m)
  })

  it('refuses an unknown code without repeating it, and names the lists', async () => {
    const { code, output } = await explain('4111111111111111')
    assert.equal(code, 1)
    assert.match(output, /docs\/integrate\/transaction-codes\.md/)
    assert.doesNotMatch(output, /4111/)
  })
})
