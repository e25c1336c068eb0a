import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { ListedEvent } from './event.ts'
import { eventIdParams, ShownEvent, shownEvent } from './event.ts'
import { eventById } from './store.ts'

export const readEventRoute = route({
  method: 'GET',
  url: '/v1/events/:event_id',
  summary: { tr: 'Olayı getir', en: 'Read event' },
  description: { tr: 'Bir olayı döndürür.', en: 'Returns an event.' },
  credential: 'secret',
  params: eventIdParams,
  answer: bareResponseDefinition(ShownEvent),
  handle: async (services: Services, merchant: Merchant, { params }) =>
    shownEvent(await requireEvent(services, merchant, params.event_id), merchant),
})

export async function requireEvent(
  { sql }: Pick<Services, 'sql'>,
  merchant: Pick<Merchant, 'id'>,
  id: number,
): Promise<ListedEvent> {
  const event = await eventById(sql, merchant.id, id)
  if (!event) throw new Refused(noSuchResource)
  return event
}
