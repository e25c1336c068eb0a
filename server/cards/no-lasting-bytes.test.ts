import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PaymentCard } from '../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../kit/money/card.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { testServerUrls } from '../../testing/harness/environment.ts'
import { ServerFiles } from '../../testing/harness/server-files.ts'
import { urlOfDatabase } from '../../testing/harness/servers.ts'
import { createMerchant } from '../merchants/index.ts'
import { cardJobs, sealCard, sealedCardPart } from './index.ts'

const hourMs = 60 * 60 * 1000
const cardOwner = { merchantId: 10_000_000_000_001, attemptId: 10_000_000_000_777 }

function card(): PaymentCard {
  const pan = SecretPan.of('4155650100416111')
  const cvc = SecretCvc.of('123')
  assert.ok(pan && cvc)
  return { pan, cvc, expiryMonth: 1, expiryYear: 2050, holder: 'AYŞE IŞIK' }
}

/** A card that is sealed and stored, with its hour key, and the servers that have a part of the database. */
async function storedCard(scope: AsyncDisposableStack) {
  const { services, clock, database } = await testApi()
  const name = database.url.slice(database.url.lastIndexOf('/') + 1)
  const servers: ServerFiles[] = []
  for (const url of testServerUrls())
    servers.push(scope.use(await ServerFiles.open(urlOfDatabase(url, name), url)))
  const sealed = await sealCard(services, cardOwner, card())
  const { merchantId, attemptId } = cardOwner
  await services.sql.write({
    steps: [['chosen', sql`select 1`]],
    gate: 'chosen',
    inserts: [sealedCardPart(merchantId, attemptId, sealed)],
  })
  const { bytes: hourKey } = await services.sql.one<{ bytes: Buffer }>(
    sql`select bytes from card_hour_keys_even union all select bytes from card_hour_keys_odd`,
  )
  const destroy = async () => {
    clock.advance(2 * hourMs)
    for (const job of cardJobs) await job.work(services, new AbortController().signal)
  }
  return { services, servers, sealed: sealed.bytes, hourKey, destroy }
}

describe('a destroyed hour key', () => {
  it('is in no file of a table on any server', async () => {
    await using scope = new AsyncDisposableStack()
    const { servers, hourKey, destroy } = await storedCard(scope)
    const before = await Promise.all(
      servers.map((server) => server.filesOf('^(card_hour_keys|sealed_cards)')),
    )
    for (const [index, server] of servers.entries())
      assert.ok(await server.findsInFiles(before[index] ?? [], hourKey), 'the test sees it where it is')
    await destroy()
    for (const [index, server] of servers.entries()) {
      const now = await server.filesOf('^(card_hour_keys|sealed_cards)')
      assert.notDeepEqual(now, before[index])
      for (const files of [before[index] ?? [], now])
        assert.equal(await server.findsInFiles(files, hourKey), false)
    }
  })
})

describe('a sealed card and its hour key', () => {
  it('are in the write-ahead log of no server, and so in no replica and no backup of the log', async () => {
    await using scope = new AsyncDisposableStack()
    const { services, servers, sealed, hourKey, destroy } = await storedCard(scope)
    const name = `Mağaza ${services.random.bytes(16).toString('hex')}`
    // The header of a page of the log can stand inside one of the rows. The log of a changed row can lack bytes.
    for (let row = 0; row < 3; row++) await createMerchant(services, { name })
    await destroy()
    for (const server of servers) {
      assert.ok(await server.findsInLog(Buffer.from(name)), 'the test sees what every server logs')
      for (const secret of [sealed, hourKey]) assert.equal(await server.findsInLog(secret), false)
    }
  })
})
