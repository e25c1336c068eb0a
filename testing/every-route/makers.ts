import { sql } from '../../kit/runtime/sql.ts'
import type { ApiRoute } from '../../server/api.ts'
import { queueTestDelivery } from '../../server/webhooks/deliveries/test-webhook.ts'
import { assignAllPositions } from '../assign-all-positions.ts'
import { seedChargeTransfers } from '../seed-transfers.ts'
import { routeName } from './field.ts'
import { validBody, validUrl } from './samples.ts'
import type { TestShop } from './shop.ts'

/** Makes a record of the shop and answers its id. */
export type RecordMaker = (shop: TestShop) => Promise<number>

/**
 * How to make what a parameter is the id of, where it is not made by a POST to the path before it: `transaction_id`
 * needs a payment. Keyed by the parameter's name.
 */
const makers: Readonly<Record<string, RecordMaker>> = {
  transaction_id: startedPayment,
  transfer_id: async ({ api, merchant }) => (await seedChargeTransfers(api.services, merchant)).id,
  event_id: newEvent,
  delivery_id: newTest,
  // Where a list goes on behind the id of a record, and not at a moment in time.
  after: newEvent,
}

/** A new record of the shop for the parameter of this name, in the path or elsewhere. */
export function makeRecord(shop: TestShop, parameter: string): Promise<number> {
  const maker = makers[parameter] ?? makerByPost(shop, parameter)
  if (!maker) {
    const noun = parameter.replace(/_id$/, '').replaceAll('_', ' ')
    throw new Error(
      `say in testing/every-route/makers.ts how to make a ${noun}, for the parameter ${parameter}`,
    )
  }
  return maker(shop)
}

async function startedPayment(shop: TestShop): Promise<number> {
  const starter = shop.routes.find(({ method, url }) => method === 'POST' && url === '/v1/payment/3ds')
  if (!starter) throw new Error('payments cannot be started')
  // With nothing that would have to be made for it: whoever asks for a payment counts on getting that alone.
  const answer = await shop.call(starter, { json: { amount: 18990, currency: shop.merchant.currency } })
  if (answer.status !== 200) throw new Error(`no payment was started: ${answer.text}`)
  return answer.json.data.transaction_id
}

/** Another event of the payment that the shop was given. */
async function newEvent({ api, merchant }: TestShop): Promise<number> {
  const { sql: database, ids } = api.services
  const id = await ids.next()
  await database.run(sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
    select merchant_id, ${id}, payment_id, number + 1, kind, data, created_at from events
    where merchant_id = ${merchant.id} and payment_id = (
      select payment_id from events where merchant_id = ${merchant.id} and position = 1)
    order by number desc limit 1`)
  await assignAllPositions(database, merchant)
  return id
}

/** A test of the webhook that the shop was given. */
async function newTest({ api, merchant, owned }: TestShop): Promise<number> {
  const { delivery } = await queueTestDelivery(api.services, merchant, owned['webhook_id'] ?? 0)
  return delivery.id
}

/**
 * The last id in a path, with what stands before it: of `/v1/customers/:customer_id/notes`, `/v1/customers`. Whose record
 * it is where another id stands before it, the shop knows.
 */
export function idInPath({
  url,
}: Pick<ApiRoute, 'url'>): { collection: string; parameter: string } | undefined {
  const match = /^(.+)\/:(\w+)/.exec(url)
  return match ? { collection: match[1] ?? '', parameter: match[2] ?? '' } : undefined
}

/** The route's address with this as its last id, and what the shop was given as the others. */
export function urlWithId({ owned }: TestShop, { url }: Pick<ApiRoute, 'url'>, id: number | string): string {
  const names = url.match(/:\w+/g) ?? []
  return url.replaceAll(/:(\w+)/g, (whole, name: string) => {
    if (whole === names.at(-1)) return String(id)
    const given = owned[name]
    if (given === undefined) throw new Error(`give each shop a ${name} in testing/every-route/shop.ts`)
    return String(given)
  })
}

/** The route that reads what another one makes or changes. */
export function readRouteOf(shop: TestShop, { url }: Pick<ApiRoute, 'url'>): ApiRoute | undefined {
  const collection = idInPath({ url })?.collection ?? url
  return shop.routes.find((route) => {
    const lastId = route.method === 'GET' ? idInPath(route) : undefined
    return (
      lastId !== undefined &&
      route.url === `${collection}/:${lastId.parameter}` &&
      lastId.collection === collection
    )
  })
}

function makerByPost(shop: TestShop, parameter: string): RecordMaker | undefined {
  const lastId = shop.routes.map(idInPath).find((each) => each?.parameter === parameter)
  const creator = shop.routes.find(({ method, url }) => method === 'POST' && url === lastId?.collection)
  if (!creator) return undefined
  return async () => {
    const url = await validUrl(shop, creator)
    const answer = await shop.call(creator, { url, json: await validBody(shop, creator) })
    const { id } = answer.json
    if (!Number.isSafeInteger(id))
      throw new Error(`${routeName(creator)} made nothing with an id: ${answer.text}`)
    return id
  }
}
