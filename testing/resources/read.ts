import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changeMerchant } from '../../server/merchants/change-merchant.ts'
import type { ResourceFixture } from './fixture.ts'
import { acceptEnglish, missingUrls, testCredentials } from './fixture.ts'

/** Guarantees of `GET /v1/<resources>/:id` that hold for every resource. */
export function testRead(fixture: ResourceFixture): void {
  const { api, backend, resource, create } = fixture
  const { whole, sentences } = resource

  describe('200', () => {
    it('the bare record equals the answer to its creation', async () => {
      const { record, url } = await create(whole)
      api.clock.advance(60_000)
      const answer = await backend.get(url)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, record)
    })

    it('the timeline is in the requested language; by default in the merchant’s', async () => {
      const { url } = await create()
      const text = async (headers = {}) => (await backend.get(url, headers)).json.timeline[0].text
      assert.equal(await text(acceptEnglish), sentences.created.en)
      assert.equal(await text({ 'accept-language': 'tr' }), sentences.created.tr)
      assert.equal(await text(), sentences.created.tr)
    })

    it('times follow the merchant’s time zone when it changes', async () => {
      const { record, url } = await create()
      await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Asia/Kathmandu' })
      const { json } = await backend.get(url)
      await changeMerchant(api.services, { merchant: api.merchant.id, time_zone: 'Europe/Istanbul' })
      assert.match(json.created_at, /\+05:45$/)
      assert.equal(Date.parse(json.created_at), Date.parse(record.created_at))
      assert.match(json.timeline[0].date, /^15\.11\.2026 12:1\d$/)
      assert.equal(json.formatted_created_at, json.timeline[0].date)
    })
  })

  testCredentials(fixture, async () => ({ request: { url: (await create()).url } }))

  describe('404', () => {
    it('an unused id, a malformed id, a deleted record and another merchant’s record get the same answer', async () => {
      const { addresses, assertIntact } = await missingUrls(fixture)
      for (const url of addresses) {
        const { status, json } = await backend.get(url, acceptEnglish)
        assert.equal(status, 404, url)
        assert.deepEqual(json, {
          status: false,
          message: 'There is no such resource.',
          errors: [],
          error_code: 920,
          data: null,
        })
      }
      await assertIntact()
    })
  })
}
