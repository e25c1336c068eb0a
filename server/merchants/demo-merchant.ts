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
import { findDemoMerchant, keyByHash, lockMerchantById, updateMerchant } from './store.ts'

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
  const known = await findDemoMerchant(services.sql)
  const made = known ? await withKeys(services, known, file) : await makeDemo(services, file)
  const demo = { ...made, merchant: await withShop(services, made.merchant) }
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

async function makeDemo(services: Services, file: string): Promise<DemoMerchant> {
  const made = await createMerchant(services, { name: 'Demo Mağaza' }, 'demo')
  return { ...made, file }
}

async function withKeys(services: Services, merchant: Merchant, file: string): Promise<DemoMerchant> {
  const written = readDemoFile(file)
  const keyOr = async (text: string | undefined, scope: KeyScope) =>
    (await isGoodKey(services, text, merchant, scope)) && text !== undefined
      ? text
      : (await createKey(services, merchant, scope, 'demo.env')).text
  return {
    merchant,
    secretKey: await keyOr(written['SECRET_KEY'], 'secret'),
    publicKey: await keyOr(written['PUBLIC_KEY'], 'public'),
    file,
  }
}

async function isGoodKey({ sql }: Services, text: string | undefined, merchant: Merchant, scope: KeyScope) {
  const key = text === undefined ? undefined : await keyByHash(sql, hashOfKey(text))
  return key !== undefined && key.revokedAt === null && key.merchantId === merchant.id && key.scope === scope
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
