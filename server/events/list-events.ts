import type { Static } from 'typebox'
import type { ListPage } from '../../kit/api/route.ts'
import { listPageResponseDefinition, route } from '../../kit/api/route.ts'
import { idField, optional, parsedTextField, queryFiltersSchema } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { defaultPerPage, itemsWithinPageBytes, perPageField, totalCountText } from '../database/search.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { ListedEvent } from './event.ts'
import { ShownEvent, shownEvent } from './event.ts'
import { eventsMatching, lastEventId } from './store.ts'

/** Value of `after` for the last event in the list. */
const latest = 'latest'

function readAfter(text: string): { value: number | typeof latest } | LocalizedText {
  if (text === latest) return { value: latest }
  if (/^[1-9]\d{13}$/.test(text)) return { value: Number(text) }
  return {
    tr: '14 haneli bir olay numarası veya latest olmalıdır.',
    en: 'Must be an ID of 14 digits, or latest.',
  }
}

const ListEvents = queryFiltersSchema({
  transaction_id: optional(
    idField({ tr: 'Yalnızca bu işlemin olayları.', en: 'Only the events of this transaction.' }),
  ),
  after: optional(
    parsedTextField<number | typeof latest>(
      {
        tr: 'Aldığınız son olayın numarası; liste bir sonraki olayla başlar. Gönderilmezse liste en eski olayla başlar. `latest` boş bir liste döndürür; yanıttaki `Link` başlığı şu anki son olaydan sonrasını gösterir.',
        en: 'ID of the last event that you received; the list starts with the next event. If it is not sent, the list starts with the oldest event. `latest` returns an empty list whose `Link` header points after the current last event.',
      },
      { max: 14, parse: readAfter },
    ),
  ),
  per_page: perPageField,
})

export const listEventsRoute = route({
  method: 'GET',
  url: '/v1/events',
  summary: { tr: 'Olayları listele', en: 'List events' },
  description: {
    tr: 'Ödemelerinizin olaylarını en eskiden en yeniye doğru döndürür. Aldığınız son olayın numarasını `after` ile gönderirseniz yalnızca sonraki olaylar döner. Yeni olaylar her zaman listenin sonuna eklenir; böylece hiçbir olayı kaçırmazsınız. Bilinmeyen bir filtre 901 ile reddedilir.',
    en: 'Returns the events of your payments, oldest first. Send the ID of the last event that you received as `after` to get only later events. New events are always added at the end of the list, so you miss none. An unknown filter is rejected with 901.',
  },
  credential: 'secret',
  query: ListEvents,
  answer: listPageResponseDefinition(ShownEvent, {
    tr: 'Olaylar, en eskiden en yeniye.',
    en: 'Events, oldest first.',
  }),
  handle: async (services: Services, merchant: Merchant, { query }) => {
    const { items, ...rest } = await listEvents(services, merchant, query)
    return { items: items.map((event) => shownEvent(event, merchant)), ...rest }
  },
})

/**
 * A page of a merchant's list of events. Guarantee: a reader that always continues after its last event gets
 * every event once.
 */
export async function listEvents(
  { sql }: Pick<Services, 'sql'>,
  { id: merchantId }: Merchant,
  {
    after: requestedAfter,
    transaction_id: paymentId,
    per_page: limit = defaultPerPage,
  }: Static<typeof ListEvents>,
): Promise<ListPage<ListedEvent>> {
  const after = requestedAfter === latest ? await lastEventId(sql, merchantId) : requestedAfter
  const matches = await eventsMatching(sql, merchantId, { paymentId, after, limit })
  if (!matches)
    throw invalidParameter('after', {
      tr: 'Üye iş yerinize ait bir olayın numarası olmalıdır.',
      en: 'Must be the ID of one of your events.',
    })
  const total = totalCountText(matches.count)
  // Events that were added meanwhile come after it, so the next request returns them.
  if (requestedAfter === latest) return { items: [], total, next: after?.toString() }
  const items = itemsWithinPageBytes(matches.items, weightOf)
  const hasMore = matches.hasMore || items.length < matches.items.length
  return { items, total, next: hasMore ? String(items.at(-1)?.id) : undefined }
}

/** Upper limit of the size: a character of the data takes at most three bytes. */
function weightOf({ data }: ListedEvent): number {
  return 500 + 3 * JSON.stringify(data).length
}
