import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { ensureDemoPos } from './demo-pos.ts'
import { posOfMerchant } from './store.ts'

const api = await testApi()
const run = (...words: string[]) => runTypedCommand(api.services, words)

it('the demo merchant gets two POS once, and keeps operators’ changes to them', async () => {
  await ensureDemoPos(api.services, api.merchant)
  const made = await posOfMerchant(api.services.sql, api.merchant.id)
  assert.deepEqual(
    made.map(({ connector, families, currencies }) => [connector, families, currencies]),
    [
      ['sandbox', ['bonus'], ['TRY', 'USD', 'EUR']],
      ['sandbox-nestpay', ['world'], ['TRY', 'USD', 'EUR']],
    ],
  )
  await run('pos', 'change', String(made[0]?.id), '--state', 'off', '--name', 'Eski POS')
  await ensureDemoPos(api.services, api.merchant)
  const names = (await posOfMerchant(api.services.sql, api.merchant.id)).map(({ name, state }) => [
    name,
    state,
  ])
  assert.deepEqual(names, [
    ['Eski POS', 'off'],
    ['Deneme World POS', 'active'],
  ])
  await run('pos', 'change', String(made[0]?.id), '--state', 'active')
})

it('the offer command uses the only merchant, and prints the charge, the merchant’s share and the reason', async () => {
  const bonus = await run('offer', '--bin', '40430800', '--amount', '10000')
  assert.match(
    bonus,
    /^Test Mağaza, 100\.00 TRY\n40430800: Garanti BBVA, visa, credit, Bonus, personal, TR\n/,
  )
  assert.match(
    bonus,
    /\n1 +100\.00 +100\.00 +1\.79 +1\.79 % +merchant +98\.21 +Eski POS +accepts Bonus cards as its own; the only POS that offers this plan\.\n/,
  )
  assert.match(bonus, /\n3 +100\.00 +33\.34 \+ 2 × 33\.33 +4\.29 +4\.29 % +merchant +95\.71 /)
  const world = await run('offer', '--bin', '54510300', '--amount', '10000')
  assert.match(world, /\n3 +104\.45 +2 × 34\.82 \+ 34\.81 +4\.45 +4\.45 % +customer +100\.00 /)
  const unknown = await run('offer', '--bin', '99999999', '--amount', '10000')
  assert.match(
    unknown,
    /99999999: not in the BIN table\nOnly a single payment is possible. The card is not in the BIN table.\nINST.*\n1 /,
  )
  assert.match(
    await run('offer', '--bin', '40430800', '--amount', '10000', '--currency', 'gbp'),
    /No active POS takes GBP\. The active POS take: TRY, USD, EUR\./,
  )
})
