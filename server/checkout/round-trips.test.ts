import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testDatabase } from '../../testing/harness/database.ts'
import { onOneServerOnly } from '../../testing/harness/environment.ts'
import { countRoundTrips } from '../../testing/till/whole-payment.ts'

it(
  'a frictionless payment takes 14 round trips to the database, its first view one',
  onOneServerOnly(),
  async () => {
    const { url } = await testDatabase()
    const trips = await countRoundTrips(url)
    const most = {
      start: 1,
      first_view: 1,
      offer: 1,
      card: 2,
      bank: 0,
      step: 1,
      method: 1,
      authenticate: 5,
      status: 1,
      result: 1,
    }
    assert.deepEqual(trips, most)
    const sum = Object.values(trips).reduce((all, each) => all + each, 0)
    assert.ok(sum <= 14, `${sum}`)
  },
)
