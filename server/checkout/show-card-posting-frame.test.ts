import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testPages } from '../../testing/till/page.ts'

const page = await testPages()
const provenByUs = '5400360000000003'
const provenByTheBank = '5451030000000000'

/** Where the carrier of the attempt would be that this card begins. */
async function carrierWith(number: string): Promise<{ path: string; carrier: string }> {
  const { id, path } = await page.open()
  assert.equal((await page.sendCard(path, number)).status, 200)
  const { attemptId } = await page.services.sql.one<{ attemptId: number }>(
    sql`select id as "attemptId" from payment_attempts where payment_id = ${id}`,
  )
  return { path, carrier: `/carrier/${attemptId}` }
}

describe('200', () => {
  it('where the bank’s own page proves the payer, what is put into the carrier can go to that bank alone', async () => {
    const { path, carrier } = await carrierWith(provenByTheBank)
    const { status, headers, text } = await page.get(`${path}${carrier}`)
    assert.equal(status, 200)
    const { host } = new URL(page.bank.address)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.ok(policy.includes(`form-action http://${host}`), policy)
    assert.doesNotMatch(text, /545103|<script/)
  })
})

describe('404', () => {
  it('where our own 3-D Secure proves the payer there is no carrier: no card leaves the page for a bank', async () => {
    const { path, carrier } = await carrierWith(provenByUs)
    assert.equal((await page.get(`${path}${carrier}`)).status, 404)
  })

  it('an attempt of another payment has none here, nor has one that nobody made', async () => {
    const { carrier } = await carrierWith(provenByTheBank)
    const { path } = await page.open()
    assert.equal((await page.get(`${path}${carrier}`)).status, 404)
    for (const attemptParam of ['10000000000001', '1', 'x', '%00'])
      assert.equal((await page.get(`${path}/carrier/${attemptParam}`)).status, 404, attemptParam)
  })
})
