import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { testCard } from '../../testing/harness/payer.ts'
import type { Services } from '../services.ts'
import type { SealedCard } from './index.ts'
import { cardJobs, eraseCardPart, sealCard, sealedCardPart, takenCardPart } from './index.ts'

const hourMs = 60 * 60 * 1000
const cardOwner = { merchantId: 10_000_000_000_001, attemptId: 10_000_000_000_777 }
const card = () => testCard('4155650100416111')

const runJobs = async (services: Services) => {
  for (const job of cardJobs) await job.work(services, new AbortController().signal)
}

describe('in the query that changes the state of an attempt', () => {
  const transitionPart = (isApplied: boolean) =>
    sql`transition as (select ${cardOwner.merchantId}::bigint as merchant_id where ${isApplied})`
  const inTransition = (isApplied: boolean, part: SqlFragment) =>
    sql`with ${transitionPart(isApplied)} ${part}`
  const stored = async (services: Services, isApplied: boolean, sealed: SealedCard) => {
    const { merchantId, attemptId } = cardOwner
    const written = await services.sql.write({
      steps: [['transition', sql`select 1 where ${isApplied}`]],
      gate: 'transition',
      inserts: [sealedCardPart(merchantId, attemptId, sealed)],
    })
    return written !== undefined
  }

  it('a card is stored, and taken out once, only if the state changes', async () => {
    const { services } = await testApi()
    const { sql: database } = services
    const sealed = await sealCard(services, cardOwner, card())
    assert.equal(await stored(services, false, sealed), false)
    assert.equal(await stored(services, true, sealed), true)
    const take = (isApplied: boolean) =>
      database.maybe<SealedCard>(
        inTransition(isApplied, takenCardPart(cardOwner.merchantId, cardOwner.attemptId)),
      )
    assert.equal(await take(false), undefined)
    const taken = (await Promise.all([take(true), take(true), take(true)])).filter((row) => row !== undefined)
    assert.equal(taken.length, 1)
    assert.deepEqual(taken[0], sealed)
    assert.equal(await take(true), undefined)
  })

  it('a card can be taken out together with other changes, or erased if it is not needed', async () => {
    const { services } = await testApi()
    const { sql: database } = services
    const sealed = await sealCard(services, cardOwner, card())
    await stored(services, true, sealed)
    const row = await database.one<SealedCard & { merchant_id: number }>(
      sql`with ${transitionPart(true)}, taken as (${takenCardPart(cardOwner.merchantId, cardOwner.attemptId)})
        select * from transition left join taken on true`,
    )
    assert.deepEqual(row, { merchant_id: cardOwner.merchantId, ...sealed })
    await stored(services, true, sealed)
    await database.run(
      sql`with ${transitionPart(true)}, erased as (${eraseCardPart(cardOwner.merchantId, cardOwner.attemptId)}) select from transition`,
    )
    assert.equal((await database.many(sql`select from sealed_cards`)).length, 0)
  })

  it('a leftover card is erased together with its hour key', async () => {
    const { services, clock } = await testApi()
    const sealed = await sealCard(services, cardOwner, card())
    await stored(services, true, sealed)
    clock.advance(hourMs)
    await runJobs(services)
    assert.equal((await services.sql.many(sql`select from sealed_cards`)).length, 1)
    clock.advance(hourMs)
    await runJobs(services)
    assert.equal((await services.sql.many(sql`select from sealed_cards`)).length, 0)
  })
})
