import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testPages } from '../../testing/till/page.ts'

const page = await testPages()
const provenByUs = '5400360000000003'
const provenByTheBank = '5451030000000000'

/** Address of the carrier for the attempt with this card. */
async function carrierWith(number: string): Promise<{ path: string; carrier: string }> {
  const { id, path } = await page.open()
  assert.equal((await page.sendCard(path, number)).status, 200)
  const { attemptId } = await page.services.sql.one<{ attemptId: number }>(
    sql`select id as "attemptId" from payment_attempts where payment_id = ${id}`,
  )
  return { path, carrier: `/carrier/${attemptId}` }
}

describe('200', () => {
  it('the carrier of a bank’s page can only post to that bank', async () => {
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
  it('our own 3DS Server has no carrier: no card leaves the page for a bank', async () => {
    const { path, carrier } = await carrierWith(provenByUs)
    assert.equal((await page.get(`${path}${carrier}`)).status, 404)
  })

  it('an attempt of another payment, or an unknown one, has no carrier', async () => {
    const { carrier } = await carrierWith(provenByTheBank)
    const { path } = await page.open()
    assert.equal((await page.get(`${path}${carrier}`)).status, 404)
    for (const attemptParam of ['10000000000001', '1', 'x', '%00'])
      assert.equal((await page.get(`${path}/carrier/${attemptParam}`)).status, 404, attemptParam)
  })
})
