import type { Eventually } from '../kit/eventually.ts'
import { goOn } from '../kit/eventually.ts'
import type { Rememberable } from '../kit/memory.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { allMerchants, changeCount, merchantById } from './store.ts'

const merchants: Rememberable<ReadonlyMap<number, Merchant>> = {
  name: 'merchants',
  version: changeCount,
  read: async (database) => new Map((await allMerchants(database)).map((each) => [each.id, each])),
}

/**
 * A merchant as it was a moment ago, for what may look as it did then: nothing is allowed or refused by it. One that is
 * not remembered is looked for in the database, for it may have come just now.
 */
export function rememberedMerchant(
  { memory, sql }: Pick<Services, 'memory' | 'sql'>,
  id: number,
): Eventually<Merchant | undefined> {
  return goOn(
    memory.get(merchants),
    (all): Eventually<Merchant | undefined> => all.get(id) ?? merchantById(sql, id),
  )
}
