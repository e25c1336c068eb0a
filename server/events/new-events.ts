import { upcomingWork } from '../instances/index.ts'
import type { Services } from '../services.ts'

const create = () => new Set<number>()

/** Notes that this process has written an event of a merchant. */
export function noteNewEvent({ processState }: Pick<Services, 'processState'>, merchantId: number): void {
  processState.of(create).add(merchantId)
  upcomingWork({ processState }).announceNews()
}

/** Merchants of new events since the last call. */
export function takeMerchantsWithNewEvents({ processState }: Pick<Services, 'processState'>): number[] {
  const merchants = processState.of(create)
  const taken = [...merchants]
  merchants.clear()
  return taken
}
