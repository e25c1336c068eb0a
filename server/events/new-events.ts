import { upcomingWork } from '../instances/index.ts'
import type { Services } from '../services.ts'

/** Number of new events by merchant. */
export type NewEvents = ReadonlyMap<number, number>

const create = () => new Map<number, number>()

/** Notes that this process has written an event of a merchant. */
export function noteNewEvent({ processState }: Pick<Services, 'processState'>, merchantId: number): void {
  const news = processState.of(create)
  news.set(merchantId, (news.get(merchantId) ?? 0) + 1)
  upcomingWork({ processState }).announceNews()
}

/** New events since the last call. */
export function takeNewEvents({ processState }: Pick<Services, 'processState'>): NewEvents {
  const news = processState.of(create)
  const taken = new Map(news)
  news.clear()
  return taken
}
