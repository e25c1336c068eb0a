import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { activeBins, preloadBinTable } from './active-bins.ts'

const api = await testApi()

it('the metrics show the number of rows and the age of the table in use', async () => {
  const { services, clock } = api
  await preloadBinTable(services)
  const { rows } = await services.cache.get(activeBins)
  clock.advance(3 * 24 * 60 * 60 * 1000)
  const text = await services.metrics.registry.metrics()
  assert.match(text, new RegExp(`vezne_bin_table_rows ${rows.size}\n`))
  assert.match(text, /vezne_bin_table_age_days 3\n/)
})
