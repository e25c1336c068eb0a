import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { testTill } from '../../testing/till/till.ts'

const till = await testTill()
const { services } = till
const hourMs = 60 * 60 * 1000
/** A card for which the bank executes no modification. */
const broken = '4190000000000820'
const unknown = (...words: string[]) => runTypedCommand(services, ['payment', 'unknown', ...words])

async function released(): Promise<{ paymentId: number; modificationId: number }> {
  const paymentId = await till.start('amount=10000&currency=TRY&pre_auth=true')
  await till.pay(paymentId, broken)
  const form = `transaction_id=${paymentId}&status=false`
  await till.call({
    method: 'POST',
    url: '/v1/transaction/resolve-pre-auth',
    token: await till.token(),
    form,
  })
  const { id } = await services.sql.one<{ id: number }>(
    sql`select id from modifications where payment_id = ${paymentId}`,
  )
  return { paymentId, modificationId: id }
}

it('a failing modification is listed with --all while it is retried, then for manual review, with every call', async () => {
  assert.equal(await unknown('--all'), 'There are no unknown outcomes and no unverified amounts.')
  const { paymentId, modificationId } = await released()
  assert.match(await unknown(), /^Nothing needs manual review/)
  const output = await unknown('--all')
  assert.match(
    output,
    new RegExp(`^modification ${modificationId} of payment ${paymentId}: release of 100.00 TRY, doing$`, 'm'),
  )
  assert.match(output, /^ {2}asked {8}never$/m)
  assert.match(output, /^ {2}payment {6}releasing$/m)
  assert.match(output, /^ {2}review {7}not needed yet$/m)
  assert.doesNotMatch(output, /settle-outcome/)
  await till.pass(5 * hourMs)
  const shown = await unknown()
  const { reference } = await services.sql.one<{ reference: string }>(
    sql`select reference from payment_attempts where payment_id = ${paymentId}`,
  )
  for (const words of [
    `reference    ${reference}`,
    'card         419000******0820',
    'review       needed since',
  ])
    assert.ok(shown.includes(words), shown)
  assert.match(shown, /^ {2}asked {8}\S+, operation void, failed \d times$/m)
  assert.match(shown, /void +declined +96/)
  assert.match(shown, /inquiry +held/)
  assert.doesNotMatch(shown, /pre_authorize/)
  assert.match(shown, /Then: vezne payment settle-outcome ID --outcome done\|not_done …$/)
  assert.match(
    till.lines.join('\n'),
    new RegExp(`"modification":${modificationId}.*a modification is still unsettled`),
  )
})

it('a refund is listed with its id and the sum refunded before', async () => {
  const { modificationId } = await released()
  await services.sql.run(sql`update modifications set kind = 'refund', refund_id = 10000000000456, prior_refunded = 2500,
    needs_review_at = began_at where id = ${modificationId}`)
  assert.match(await unknown(), /^ {2}refund {7}10000000000456; 25.00 TRY was refunded before it$/m)
  await services.sql.run(
    sql`update modifications set kind = 'release', refund_id = null where id = ${modificationId}`,
  )
})

it('charges and modifications share the limit, and omitted ones are counted', async () => {
  await till.pay(await till.start(), '4190000000000630')
  await till.pass(5 * hourMs)
  await released()
  await till.pass(5 * hourMs)
  const all = await unknown()
  const heads = all.split('\n').filter((line) => /^(attempt|modification) \d+ of payment/.test(line))
  assert.ok(heads[0]?.startsWith('attempt') && heads.at(-1)?.startsWith('modification'), all)
  assert.match(all, /--outcome taken\|not_taken …\n.*--outcome done\|not_done …$/)
  const one = await unknown('--limit', '1')
  assert.match(one, new RegExp(`^${heads.length - 1} more\\. To list all: --limit ${heads.length}$`, 'm'))
  assert.doesNotMatch(one, /^modification/m)
})
