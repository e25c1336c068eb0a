import assert from 'node:assert/strict'
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { PaymentCard } from '../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../kit/money/card.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { testApi } from '../../testing/harness/api.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { untilLockIsAwaited } from '../../testing/harness/database.ts'
import { onCitusOnly, testServerUrls } from '../../testing/harness/environment.ts'
import { ask, urlOfDatabase } from '../../testing/harness/servers.ts'
import type { Services } from '../services.ts'
import { currentHourNumber } from './hour-key.ts'
import type { SealedCard } from './index.ts'
import { cardJobs, hourKeyOf, openCard, sealCard } from './index.ts'
import { lockHourKeyTable, storedHourKey } from './store.ts'

const hourMs = 60 * 60 * 1000
const cardOwner = { merchantId: 10_000_000_000_001, attemptId: 10_000_000_000_777 }

function card(): PaymentCard {
  const pan = SecretPan.of('4155650100416111')
  const cvc = SecretCvc.of('123')
  assert.ok(pan && cvc)
  return { pan, cvc, expiryMonth: 1, expiryYear: 2050, holder: 'AYŞE IŞIK' }
}

const plain = ({ pan, cvc, ...rest }: PaymentCard) => ({ pan: pan.reveal(), cvc: cvc.reveal(), ...rest })

async function testInstances() {
  const { services, clock, lines, database } = await testApi()
  /** Another instance on the same database, with its own clock. */
  const anotherInstance = (start: Date) => {
    const own = new TestClock(start.toISOString())
    return { services: { ...services, clock: own }, clock: own }
  }
  return { services, clock, lines, database, anotherInstance }
}

const runJobs = async (services: Services) => {
  for (const job of cardJobs) await job.work(services, new AbortController().signal)
}

/** Reads the hour key of a card and opens the card with it. */
async function open(
  services: Services,
  sealed: SealedCard,
  owner = cardOwner,
): Promise<PaymentCard | undefined> {
  const { hourKey } = await services.sql.one<{ hourKey: Buffer | null }>(
    sql`select ${hourKeyOf(sql`${sealed.hour}::integer`)} as "hourKey"`,
  )
  return openCard(services, owner, { ...sealed, hourKey })
}

const opens = async (services: Services, sealed: SealedCard, owner = cardOwner) =>
  (await open(services, sealed, owner)) !== undefined

const hourKeys = async ({ sql: database }: Services) =>
  database.many<{ hour: number; bytes: Buffer }>(
    sql`select hour, bytes from card_hour_keys_even
      union all select hour, bytes from card_hour_keys_odd order by hour`,
  )

it('a card opens exactly as typed for its own attempt, and for no other', async () => {
  const { services } = await testInstances()
  const sealed = await sealCard(services, cardOwner, card())
  const opened = await open(services, sealed)
  assert.ok(opened)
  assert.deepEqual(plain(opened), plain(card()))
  assert.equal(await opens(services, sealed, { ...cardOwner, attemptId: 1 }), false)
  assert.equal(await opens(services, sealed, { ...cardOwner, merchantId: 1 }), false)
  assert.ok(!sealed.bytes.toString('latin1').includes('415565'))
  assert.notDeepEqual((await sealCard(services, cardOwner, card())).bytes, sealed.bytes)
})

it('a card that is altered, has another key or has none does not open, and nothing is thrown', async () => {
  const { services } = await testInstances()
  const sealed = await sealCard(services, cardOwner, card())
  for (const index of [0, 15, 30, sealed.bytes.length - 1]) {
    const bytes = Buffer.from(sealed.bytes)
    bytes.writeUInt8((bytes[index] ?? 0) ^ 1, index)
    assert.equal(await opens(services, { ...sealed, bytes }), false)
  }
  assert.equal(await opens(services, { ...sealed, bytes: Buffer.alloc(0) }), false)
  assert.equal(await opens(services, { ...sealed, keyId: 'another' }), false)
  assert.equal(await opens(services, { ...sealed, hour: sealed.hour - 1 }), false)
})

it('while the secret changes, cards of the previous secret still open, and a third secret opens nothing', async () => {
  const { services } = await testInstances()
  const old = 'the secret that was in use until now'
  const current = 'the secret that is in use from now on'
  const before = { ...services, keyring: new Keyring(old, undefined) }
  const during = { ...services, keyring: new Keyring(current, old) }
  const behind = { ...services, keyring: new Keyring(current, undefined) }
  const sealed = await sealCard(before, cardOwner, card())
  assert.equal(await opens(during, sealed), true)
  assert.equal(await opens(behind, sealed), false)
  assert.equal(await opens(behind, await sealCard(during, cardOwner, card())), true)
})

describe('an hour key', () => {
  it('is valid for its hour and the next, and then opens nothing, even if it still exists', async () => {
    const { services, clock } = await testInstances()
    const sealed = await sealCard(services, cardOwner, card())
    clock.advance(29 * 60 * 1000 + 59_999)
    const late = await sealCard(services, cardOwner, card())
    assert.equal(late.hour, sealed.hour)
    clock.advance(hourMs)
    assert.equal(await opens(services, late), true)
    clock.advance(1)
    assert.equal((await hourKeys(services)).length, 1)
    assert.equal(await opens(services, late), false)
  })

  it('that was read in its hour seals nothing after that hour', async () => {
    const { services, clock } = await testInstances()
    const bytes = Buffer.alloc(32, 7)
    const { hour } = await sealCard(services, cardOwner, card())
    const sealed = await sealCard(services, cardOwner, card(), { hour, bytes })
    assert.ok(openCard(services, cardOwner, { ...sealed, hourKey: bytes }), 'in its hour it does')
    clock.advance(hourMs)
    assert.equal((await sealCard(services, cardOwner, card(), { hour, bytes })).hour, hour + 1)
  })

  it('is destroyed by the next seal two hours later, or by the job', async () => {
    const seal = (services: Services) => sealCard(services, cardOwner, card())
    for (const [destroy, after] of [[seal, [1, 2]] as const, [runJobs, [1, 2, 3]] as const]) {
      const { services, clock } = await testInstances()
      const { hour } = await sealCard(services, cardOwner, card())
      clock.advance(hourMs)
      await seal(services)
      assert.deepEqual(
        (await hourKeys(services)).map((hourKey) => hourKey.hour),
        [hour, hour + 1],
      )
      clock.advance(hourMs)
      await destroy(services)
      assert.deepEqual(
        (await hourKeys(services)).map((hourKey) => hourKey.hour),
        after.map((hours) => hour + hours),
      )
    }
  })

  it('is created and destroyed in turns: an instance waits for another that changes the same table', async () => {
    const { services, database } = await testInstances()
    const sealing = await services.sql.transaction(async (other) => {
      await lockHourKeyTable(other, currentHourNumber(services))
      const waiting = sealCard(services, cardOwner, card())
      await untilLockIsAwaited(database.sql)
      return [waiting]
    })
    const [sealed] = await Promise.all(sealing)
    assert.ok(sealed && (await opens(services, sealed)))
  })

  it('is made an hour beforehand by the job, so that the next hour begins without a write', async () => {
    const { services, clock } = await testInstances()
    await runJobs(services)
    const made = await hourKeys(services)
    clock.advance(hourMs)
    const { hour } = await sealCard(services, cardOwner, card())
    assert.deepEqual(await hourKeys(services), made)
    assert.equal(made[1]?.hour, hour)
  })

  it('left over from a long downtime is destroyed by the first run of the job', async () => {
    const { services, clock } = await testInstances()
    const { hour } = await sealCard(services, cardOwner, card())
    clock.advance(hourMs)
    await sealCard(services, cardOwner, card())
    clock.advance(10 * hourMs)
    await runJobs(services)
    assert.deepEqual(
      (await hourKeys(services)).map((hourKey) => hourKey.hour),
      [hour + 11, hour + 12],
    )
  })

  it('is created by one of several instances at the start of an hour, and all instances open each other’s cards', async () => {
    const { services, clock, anotherInstance } = await testInstances()
    await sealCard(services, cardOwner, card())
    for (let round = 0; round < 4; round++) {
      clock.advance(hourMs)
      const other = anotherInstance(clock.now())
      const all = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const instance = index % 2 === 0 ? services : other.services
          if (index % 5 === 0) await runJobs(instance)
          return sealCard(instance, cardOwner, card())
        }),
      )
      for (const sealed of all) {
        assert.equal(await opens(services, sealed), true)
        assert.equal(await opens(other.services, sealed), true)
      }
      assert.equal((await hourKeys(services)).length, 3)
    }
  })

  it('of an instance whose clock is seconds ahead or behind works on the others, whatever jobs they run', async () => {
    const { services, clock, anotherInstance } = await testInstances()
    clock.advance(30 * 60 * 1000 - 5_000)
    const ahead = anotherInstance(new Date(clock.now().getTime() + 10_000))
    const first = await sealCard(services, cardOwner, card())
    const second = await sealCard(ahead.services, cardOwner, card())
    assert.equal(second.hour, first.hour + 1)
    await runJobs(services)
    await runJobs(ahead.services)
    await runJobs(services)
    for (const instance of [services, ahead.services]) {
      for (const sealed of [first, second, await sealCard(services, cardOwner, card())]) {
        assert.equal(await opens(instance, sealed), true)
      }
    }
  })

  it('of a clock that was far ahead is destroyed', async () => {
    const { services, clock, anotherInstance } = await testInstances()
    const ahead = anotherInstance(new Date(clock.now().getTime() + 1000 * hourMs))
    await sealCard(ahead.services, cardOwner, card())
    const sealed = await sealCard(services, cardOwner, card())
    await runJobs(services)
    assert.deepEqual(
      (await hourKeys(services)).map((hourKey) => hourKey.hour),
      [sealed.hour, sealed.hour + 1],
    )
  })
})

it('if PostgreSQL loses the hour keys, earlier cards do not open, and new ones do', async () => {
  const { services } = await testInstances()
  const before = await sealCard(services, cardOwner, card())
  await services.sql.run(sql`truncate card_hour_keys_even, card_hour_keys_odd, sealed_cards`)
  assert.equal(await opens(services, before), false)
  const behind = await sealCard(services, cardOwner, card())
  assert.equal(behind.hour, before.hour)
  assert.equal(await opens(services, before), false)
  assert.equal(await opens(services, behind), true)
})

it(
  'if one server of a Citus loses the hour keys, its merchants get new ones, and cards of the others still open',
  onCitusOnly(),
  async () => {
    const { services, database } = await testInstances()
    const owners = Array.from({ length: 12 }, (_, index) => ({ ...cardOwner, merchantId: index + 1 }))
    const seal = () => Promise.all(owners.map((owner) => sealCard(services, owner, card())))
    const opened = async (sealed: readonly SealedCard[]) => {
      const each = owners.map(async (owner, index) => {
        const { hour, ...rest } = sealed[index] as SealedCard
        const hourKey = (await storedHourKey(services.sql, hour, owner.merchantId))?.bytes ?? null
        return openCard(services, owner, { ...rest, hour, hourKey }) !== undefined
      })
      return Promise.all(each)
    }
    const earlier = await seal()
    await emptyHourKeysOfOneWorker(database.url)
    const lost = await opened(earlier)
    assert.deepEqual([...new Set(lost)].toSorted(), [false, true])
    assert.deepEqual([...new Set(await opened(await seal()))], [true])
    assert.deepEqual([...new Set(await opened(earlier))], [true], 'it is the key that the others have')
  },
)

it('while a dump or another long read holds the hour keys, cards are sealed; old keys are destroyed afterwards', async () => {
  const { services, clock, lines } = await testInstances()
  const { hour } = await sealCard(services, cardOwner, card())
  clock.advance(2 * hourMs)
  await services.sql.transaction(async (reader) => {
    await reader.run(sql`lock table card_hour_keys_even, card_hour_keys_odd in access share mode`)
    const sealed = await sealCard(services, cardOwner, card())
    assert.equal(await opens(services, sealed), true)
    await runJobs(services)
    assert.deepEqual(
      (await hourKeys(services)).map((hourKey) => hourKey.hour),
      [hour, hour + 2, hour + 3],
    )
  })
  assert.ok(lines.some((line) => line.includes('destroying expired card hour keys failed')))
  const sealed = await sealCard(services, cardOwner, card())
  await runJobs(services)
  assert.deepEqual(
    (await hourKeys(services)).map((hourKey) => hourKey.hour),
    [hour + 2, hour + 3],
  )
  assert.equal(await opens(services, sealed), true)
})

it('without its destroyed hour key, a card does not open with the secret, its row and all derivable keys', async () => {
  const { services, clock } = await testInstances()
  const sealed = await sealCard(services, cardOwner, card())
  const [hourKey] = await hourKeys(services)
  assert.ok(hourKey)
  const keys = services.keyring.keysFor('card').map(({ key }) => key)
  const owner = `attempt ${cardOwner.merchantId} ${cardOwner.attemptId}`
  const derivedKey = (key: Buffer, bytes: Buffer) =>
    Buffer.from(hkdfSync('sha256', key, bytes, 'vezne card of an hour', 32))
  assert.ok(
    keys.some((key) => decrypts(sealed.bytes, derivedKey(key, hourKey.bytes), owner)),
    'the thief knows how it is done',
  )
  clock.advance(2 * hourMs)
  await runJobs(services)
  const left = await hourKeys(services)
  const derivable = keys.flatMap((key) => [
    key,
    ...left.map((other) => derivedKey(key, other.bytes)),
    derivedKey(key, Buffer.alloc(0)),
    derivedKey(key, Buffer.alloc(32)),
  ])
  assert.equal(
    derivable.some((key) => decrypts(sealed.bytes, key, owner)),
    false,
  )
})

/** Empties the copies of both tables on one worker, as its crash does. */
async function emptyHourKeysOfOneWorker(url: string): Promise<void> {
  const [, worker = ''] = testServerUrls()
  const name = url.slice(url.lastIndexOf('/') + 1)
  for (const table of ['card_hour_keys_even', 'card_hour_keys_odd']) {
    const [shard] = await ask<{ id: string }>(url, [
      `select shardid as id from pg_dist_shard where logicalrelid = '${table}'::regclass`,
    ])
    await ask(urlOfDatabase(worker, name), [
      'set citus.enable_manual_changes_to_shards = on',
      `truncate ${table}_${shard?.id}`,
    ])
  }
}

function decrypts(sealed: Buffer, key: Buffer, owner: string): boolean {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(`vezne card\n${owner}`))
      .setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).includes(
      '4155650100416111',
    )
  } catch {
    return false
  }
}
