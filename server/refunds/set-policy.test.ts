import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { createMerchant } from '../merchants/index.ts'
import { defaultPolicyFor } from './policy.ts'

const { services } = await testApi()

const made = async (live: boolean) => (await createMerchant(services, { name: 'Mağaza', live })).merchant.id

const policy = (...words: (string | number)[]) =>
  runTypedCommand(services, ['refund', 'policy', ...words.map(String)])

describe('refund policy', () => {
  it('shows the default: automatic for a test merchant, manual for a live one', async () => {
    const rules =
      'on-violation   review\nmax-age-days   365\nusual-times    10\nrate-percent   20\ncard-times     3'
    assert.equal(await policy(await made(false)), `policy         automatic\ndelay-seconds  2\n${rules}`)
    assert.equal(await policy(await made(true)), `policy         manual\ndelay-seconds  900\n${rules}`)
    assert.equal(defaultPolicyFor({ live: true }).policy, 'manual')
  })

  it('changes the given settings only, for one merchant only', async () => {
    const [id, other] = [await made(true), await made(true)]
    const before = await policy(other)
    await policy(id, '--policy', 'automatic', '--delay-seconds', '0', '--on-violation', 'reject')
    await policy(
      id,
      '--max-age-days',
      '90',
      '--usual-times',
      '5',
      '--rate-percent',
      '100',
      '--card-times',
      '1',
    )
    assert.equal(
      await policy(id),
      'policy         automatic\ndelay-seconds  0\non-violation   reject\nmax-age-days   90\nusual-times    5\n' +
        'rate-percent   100\ncard-times     1',
    )
    assert.equal(await policy(other), before)
  })

  it('refuses invalid values and an unknown merchant', async () => {
    const id = await made(true)
    for (const words of [
      ['--policy', 'none'],
      ['--delay-seconds', '-1'],
      ['--delay-seconds', '2592001'],
      ['--on-violation', 'approve'],
      ['--max-age-days', '0'],
      ['--usual-times', '0'],
      ['--rate-percent', '101'],
      ['--card-times', '1.5'],
      ['--unknown', '1'],
    ])
      await assert.rejects(policy(id, ...words), words.join(' '))
    await assert.rejects(
      policy(id, '--on-finding', 'reject'),
      /^WrongUsage: --on-finding is now called --on-violation\.$/,
    )
    await assert.rejects(policy(99_999_999_999_999))
    assert.match(await policy(id), /^policy +manual$/m)
  })
})
