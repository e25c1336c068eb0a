import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import { andThen } from '../../kit/runtime/maybe-promise.ts'
import type { VersionedSource } from '../database/versioned-cache.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { allMerchants, merchantById, merchantVersion } from './store.ts'

const merchants: VersionedSource<ReadonlyMap<number, Merchant>> = {
  name: 'merchants',
  version: merchantVersion,
  read: async (database) => new Map((await allMerchants(database)).map((each) => [each.id, each])),
}

/**
 * A merchant as it was a moment ago, for display only: no permission depends on it. One that is not cached is
 * looked up, because it may be new.
 */
export function recentMerchant(
  { cache, sql }: Pick<Services, 'cache' | 'sql'>,
  id: number,
): MaybePromise<Merchant | undefined> {
  return andThen(
    cache.get(merchants),
    (all): MaybePromise<Merchant | undefined> => all.get(id) ?? merchantById(sql, id),
  )
}
