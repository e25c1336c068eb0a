import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Services } from '../services.ts'
import { createKey } from './create-key.ts'
import { createMerchant } from './create-merchant.ts'
import type { Merchant } from './merchant.ts'
import type { KeyScope } from './merchant-key.ts'
import { hashOfKey } from './merchant-key.ts'
import { requireMerchant } from './show-merchant.ts'
import { allMerchants, keyByHash, lockMerchantById, updateMerchant } from './store.ts'

/** The test merchant of a new installation, with its keys. */
export interface DemoMerchant {
  merchant: Merchant
  secretKey: string
  publicKey: string
  file: string
}

/**
 * Creates the demo merchant at the first start and keeps it later. Only hashes of keys are stored, so the
 * keys themselves are in `demo.env`; lost or revoked keys are replaced. The demo shop may show its payment
 * pages in a frame, on its current port; other allowed origins stay.
 */
export async function ensureDemoMerchant(services: Services): Promise<DemoMerchant> {
  const file = join(services.config.home, 'demo.env')
  const known = (await allMerchants(services.sql)).find(({ madeBy }) => madeBy === 'demo')
  const made = known
    ? { merchant: known, ...(await goodKeys(services, known, readDemoFile(file))) }
    : await createMerchant(services, { name: 'Köşe Kahve' }, 'demo')
  const demo = { ...made, merchant: await withShop(services, made.merchant), file }
  writeDemoFile(services, demo)
  return demo
}

function withShop({ sql, clock, config }: Services, { id }: Merchant): Promise<Merchant> {
  const shop = new URL(`http://localhost:${config.demoPort}`).origin
  return sql.transaction(async (transaction) => {
    const merchant = await requireMerchant({ sql: transaction }, id, lockMerchantById)
    if (merchant.origins.includes(shop)) return merchant
    const changed = { ...merchant, origins: [...merchant.origins, shop], updatedAt: clock.now() }
    await updateMerchant(transaction, changed)
    return changed
  })
}

/** The written keys, each replaced by a new one if it is not a valid key of the merchant. */
async function goodKeys(services: Services, merchant: Merchant, written: NodeJS.Dict<string>) {
  const keyOr = async (text: string | undefined, scope: KeyScope) => {
    const key = text && (await keyByHash(services.sql, hashOfKey(text)))
    const isGood = key && key.revokedAt === null && key.merchantId === merchant.id && key.scope === scope
    return isGood ? text : (await createKey(services, merchant, scope, 'demo.env')).text
  }
  return {
    secretKey: await keyOr(written['SECRET_KEY'], 'secret'),
    publicKey: await keyOr(written['PUBLIC_KEY'], 'public'),
  }
}

function readDemoFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

function writeDemoFile({ config }: Services, demo: DemoMerchant): void {
  const lines = [
    `API_URL=${config.apiUrl}`,
    `PAGE_URL=${config.pageUrl}`,
    `MERCHANT_ID=${demo.merchant.id}`,
    `SECRET_KEY=${demo.secretKey}`,
    `PUBLIC_KEY=${demo.publicKey}`,
  ]
  const draft = `${demo.file}.new`
  writeFileSync(draft, `${lines.join('\n')}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, demo.file)
}
