import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { makeHome } from '../../testing/harness/embedded-home.ts'
import { changeMerchant } from './change-merchant.ts'
import { ensureDemoMerchant } from './demo-merchant.ts'

it('the demo shop may frame the demo merchant’s pages on any port, and other origins keep that right', async (t) => {
  const { services } = await testApi()
  const onPort = (demoPort: number) => ({ ...services, config: { ...services.config, demoPort, home } })
  const home = makeHome(t)
  const first = await ensureDemoMerchant(onPort(5001))
  assert.deepEqual(first.merchant.origins, ['http://localhost:5001'])
  await changeMerchant(services, { merchant: first.merchant.id, origins: ['https://shop.example'] })
  await ensureDemoMerchant(onPort(5001))
  const { merchant, secretKey } = await ensureDemoMerchant(onPort(5002))
  assert.deepEqual(merchant.origins, [
    'https://shop.example',
    'http://localhost:5001',
    'http://localhost:5002',
  ])
  const again = await ensureDemoMerchant(onPort(5002))
  assert.deepEqual([again.merchant, again.secretKey], [merchant, secretKey])
})
