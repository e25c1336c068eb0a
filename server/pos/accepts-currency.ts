import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import { andThen } from '../../kit/runtime/maybe-promise.ts'
import type { VersionedSource } from '../database/versioned-cache.ts'
import type { Services } from '../services.ts'
import { acceptsPayments } from './pos.ts'
import { allPos, posOfMerchant, posVersion } from './store.ts'

/** Currencies of new payments, by merchant. */
type Currencies = ReadonlyMap<number, ReadonlySet<string>>

const acceptedCurrencies: VersionedSource<Currencies> = {
  name: 'currencies of pos',
  version: posVersion,
  read: async (database) => {
    const currencies = new Map<number, Set<string>>()
    for (const pos of await allPos(database)) {
      if (!acceptsPayments(pos, undefined)) continue
      const known = currencies.get(pos.merchantId) ?? new Set()
      currencies.set(pos.merchantId, new Set([...known, ...pos.currencies]))
    }
    return currencies
  },
}

/**
 * True if a POS of the merchant accepts new payments in this currency. True comes from memory. False comes
 * only after a database query, because a POS may have just been added.
 */
export function acceptsCurrency(
  { cache, sql }: Pick<Services, 'cache' | 'sql'>,
  merchantId: number,
  currency: string,
): MaybePromise<boolean> {
  return andThen(cache.get(acceptedCurrencies), (currencies): MaybePromise<boolean> => {
    if (currencies.get(merchantId)?.has(currency)) return true
    return posOfMerchant(sql, merchantId).then((all) => all.some((pos) => acceptsPayments(pos, currency)))
  })
}

/** Loads the currencies, so that no request waits for them. */
export async function preloadCurrencies({ cache }: Pick<Services, 'cache'>): Promise<void> {
  await cache.get(acceptedCurrencies)
}
