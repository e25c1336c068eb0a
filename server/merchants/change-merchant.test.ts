import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { isRefusedFor, runTypedCommand } from '../../testing/harness/command-line.ts'
import { createMerchant } from './create-merchant.ts'

const { services } = await testApi()

it('a live merchant gets no website without https, and can change and clear one that it has from before', async () => {
  const { merchant } = await createMerchant(services, { name: 'Canlı', live: true })
  const change = (...words: string[]) =>
    runTypedCommand(services, ['merchant', 'change', String(merchant.id), ...words])
  await assert.rejects(change('--website', 'HTTP://k.example'), isRefusedFor('website'))
  await services.sql.run(sql`update merchants set website = 'http://k.example/' where id = ${merchant.id}`)
  assert.match(await change('--name', 'Kitap'), /^website +http:\/\/k\.example\/$/m)
  assert.match(await change('--clear', 'website'), /^website +none$/m)
})
