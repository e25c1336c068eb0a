import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { ApiRoute } from '../../server/api.ts'
import { events } from '../../server/events/index.ts'
import { queueTestDelivery } from '../../server/webhooks/deliveries/test-webhook.ts'
import { assignAllPositions } from '../seed/assign-all-positions.ts'
import { seedEventRows, seedPayment } from '../seed/payment.ts'
import { seedChargeTransfers } from '../seed/transfers.ts'
import { formPairs } from './encode-input.ts'
import type { RouteField, RouteSchema } from './field.ts'
import { fieldKind, fieldsOf, isId, routeName } from './field.ts'
import { idInPath, urlWithId } from './record-paths.ts'
import type { TestShop } from './shop.ts'
import { anyCursor } from './shop.ts'

/** Valid values of parameters whose description has no example, by name. */
const rights: Readonly<Record<string, unknown>> = {
  currency_code: 'EUR',
  created_from: '2026-11-15',
  created_to: '2026-11-15T09:30:00+03:00',
  after: Buffer.from(`${anyCursor.createdAt.getTime()}.${anyCursor.id}`).toString('base64url'),
  title: 'Not',
  city: 'Ankara',
  bin_number: 40430800,
  shelf_number: 12345678,
}

/** Integers of which only some in the range identify a record. */
const knownInPart: readonly string[] = ['bin_number', 'shelf_number']

/** Longest valid value of judged parameters, where an arbitrary text of that length would be refused. */
const longest: Readonly<Record<string, string>> = {
  email: `${'a'.repeat(64)}@${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(61)}.com`,
}

/** Stored form of an accepted text of a judged parameter, where it differs from the text. */
const becomes: Readonly<Record<string, (text: string) => string>> = {
  country: (text) => text.toUpperCase(),
  currency_code: (text) => text.toUpperCase(),
  url: (text) => URL.parse(text)?.href ?? text,
  phone: (text) => `+${text.normalize('NFKC').replaceAll(/\D/g, '')}`,
}

/** Value of a cleared parameter, where it is not empty. */
export const clearedValues: Readonly<Record<string, unknown>> = { events: ['*'] }

/** Fields that are shown only once. */
const shownOnce: readonly string[] = ['secret']

/** An answer as a later read returns it. */
export function withoutShownOnce(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (name, value) => (shownOnce.includes(name) ? undefined : value)))
}

/** Whole bodies of routes whose parameters depend on each other. */
const bodies: Readonly<Record<string, (shop: TestShop) => Promise<Record<string, unknown>>>> = {
  'POST /v1/payment/3ds': rightPayment,
  'POST /v1/transaction/refund': async (shop) => ({
    transaction_id: await seededPayment(shop, 'paid'),
    amount: 5000,
    description: 'Ürün iade edildi',
  }),
  'POST /v1/transaction/resolve-pre-auth': async (shop) => ({
    transaction_id: await seededPayment(shop, 'held'),
    status: true,
  }),
}

/** True if a route can refuse the same body the second time, so that each request needs a new body. */
export function needsNewBodyEachTime({ refusals }: ApiRoute): boolean {
  return refusals.some(({ status }) => status === 409)
}

/** A body that the route accepts: all parameters, or only the named ones. */
export async function validBody(
  shop: TestShop,
  route: ApiRoute,
  names?: readonly string[],
): Promise<Record<string, unknown>> {
  const whole = bodies[routeName(route)]
  if (whole) return picked(await whole(shop), names)
  const { properties = {} } = (route.body ?? {}) as RouteSchema
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (!names || names.includes(name)) body[name] = await validValue(shop, name, schema)
  }
  return body
}

/** A paid or held payment of the shop. */
async function seededPayment({ api, merchant }: TestShop, state: 'paid' | 'held'): Promise<number> {
  const attempts = [{ state: 'approved' as const }]
  return (await seedPayment(api.services, merchant, { state, amountMinor: 18_990, attempts })).id
}

/** A payment whose products add up to its amount, in the currency of a new product. */
async function rightPayment(shop: TestShop): Promise<Record<string, unknown>> {
  const [customer, product] = [await makeRecord(shop, 'customer_id'), await makeRecord(shop, 'product_id')]
  const reader = shop.routes.find(({ method, url }) => method === 'GET' && url === '/v1/products/:product_id')
  if (!reader) throw new Error('products cannot be read')
  const { price, currency_code } = (await shop.call(reader, { url: urlWithId(shop, reader, product) })).json
  return {
    customer_id: customer,
    amount: price + 500,
    currency: currency_code,
    redirect_url: 'https://shop.example/return',
    pre_auth: false,
    products: [{ product_name: 'Kargo', price: 500, description: 'Ertesi gün' }],
    product_ids: [product],
    metadata: [{ key: 'order', value: 'A-1001' }],
    description: 'Sipariş A-1001',
  }
}

export function requiredBodyNames(route: ApiRoute): string[] {
  return ((route.body ?? {}) as RouteSchema).required ?? []
}

/** Body with only the required parameters. */
export async function minimalBody(shop: TestShop, route: ApiRoute): Promise<{ json?: object }> {
  const names = requiredBodyNames(route)
  return names.length === 0 ? {} : { json: await validBody(shop, route, names) }
}

export function requiredQueryNames(route: ApiRoute): string[] {
  return ((route.query ?? {}) as RouteSchema).required ?? []
}

/** A query that the route accepts, with only the named parameters. */
export async function validQuery(
  shop: TestShop,
  route: ApiRoute,
  names: readonly string[] = requiredQueryNames(route),
): Promise<Record<string, unknown>> {
  const { properties = {} } = (route.query ?? {}) as RouteSchema
  const query: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (names.includes(name)) query[name] = await validValue(shop, name, schema)
  }
  return query
}

/**
 * An address that the route accepts: of a new record or of this id, with the required or the named query
 * parameters.
 */
export async function validUrl(
  shop: TestShop,
  route: ApiRoute,
  { id, names }: { id?: number | string; names?: readonly string[] } = {},
): Promise<string> {
  const { parameter } = idInPath(route) ?? {}
  const path =
    parameter === undefined ? route.url : urlWithId(shop, route, id ?? (await makeRecord(shop, parameter)))
  const pairs = formPairs(await validQuery(shop, route, names))
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

/** True if any integer in the range is valid. An id or a known number can identify nothing. */
export function isAnyIntegerValid({ path, schema }: Pick<RouteField, 'path' | 'schema'>): boolean {
  return !isId(schema) && !knownInPart.includes(path.at(-1) ?? '')
}

/** A valid JSON value of the parameter. */
export async function validValue(shop: TestShop, name: string, schema: RouteSchema): Promise<unknown> {
  if (isId(schema) && !schema.examples) return makeRecord(shop, name.replace(/s$/, ''))
  // The list of events continues after an event, not after a time.
  if (name === 'after' && schema.maxLength === 14) return String(await makeRecord(shop, name))
  const example = schema.examples?.[0] ?? rights[name] ?? exampleElsewhere(shop, name, schema)
  if (example !== undefined) return example
  switch (fieldKind(schema)) {
    case 'text':
    case 'plain':
      return 'Ada'.slice(0, schema.maxLength)
    case 'choice':
      return schema.enum?.[0]
    case 'integer':
      return schema.minimum ?? 1
    case 'flag':
      return true
    case 'pairs':
      return { order: 'A-1001' }
    case 'list':
      return [await validValue(shop, name, schema.items ?? {})]
    case 'record':
      return rightRecord(shop, schema)
    default:
      throw new Error(`say in testing/every-route/samples.ts a right value of ${name}`)
  }
}

/** Longest valid value of a judged parameter, if known. */
export function longestValidText({ path, schema }: RouteField): string | undefined {
  const text = longest[path.at(-1) ?? '']
  return text !== undefined && text.length === schema.maxLength ? text : undefined
}

/** The text as it is stored: trimmed, in NFC, and normalized by a judged parameter. */
export function asStored({ path, kind }: Pick<RouteField, 'path' | 'kind'>, text: string): string {
  const plain = text.trim().normalize('NFC')
  return kind === 'judged' ? (becomes[path.at(-1) ?? '']?.(plain) ?? plain) : plain
}

async function rightRecord(
  shop: TestShop,
  { properties = {} }: RouteSchema,
): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const [name, schema] of Object.entries(properties)) {
    entries.push([name, await validValue(shop, name, schema)])
  }
  return Object.fromEntries(entries)
}

/** Example of another parameter with the same name: a filter uses the example of the field it filters. */
function exampleElsewhere({ routes }: TestShop, name: string, schema: RouteSchema): unknown {
  if (fieldKind(schema) !== 'judged') return undefined
  const fields = routes.flatMap(({ body, query }) => [...fieldsOf(body), ...fieldsOf(query)])
  return fields.find(({ path, schema: other }) => path.at(-1) === name && other.examples)?.schema
    .examples?.[0]
}

function picked(
  body: Record<string, unknown>,
  names: readonly string[] | undefined,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names || names.includes(name)))
}

/** Creates a record of the shop and returns its id. */
export type RecordMaker = (shop: TestShop) => Promise<number>

/**
 * Makers by parameter name, for records that no POST to the path before the id creates: `transaction_id`
 * needs a payment.
 */
const makers: Readonly<Record<string, RecordMaker>> = {
  transaction_id: startedPayment,
  transfer_id: async ({ api, merchant }) => (await seedChargeTransfers(api.services, merchant)).id,
  event_id: newEvent,
  delivery_id: newTest,
  // The list of events continues after an event id, not after a time.
  after: newEvent,
}

/** A new record of the shop for the parameter with this name. */
export function makeRecord(shop: TestShop, parameter: string): Promise<number> {
  const maker = makers[parameter] ?? makerByPost(shop, parameter)
  if (!maker) {
    const noun = parameter.replace(/_id$/, '').replaceAll('_', ' ')
    throw new Error(
      `say in testing/every-route/samples.ts how to make a ${noun}, for the parameter ${parameter}`,
    )
  }
  return maker(shop)
}

async function startedPayment(shop: TestShop): Promise<number> {
  const starter = shop.routes.find(({ method, url }) => method === 'POST' && url === '/v1/payment/3ds')
  if (!starter) throw new Error('payments cannot be started')
  // The payment has no customer and no products: the caller expects that nothing else is created.
  const answer = await shop.call(starter, { json: { amount: 18990, currency: shop.merchant.currency } })
  if (answer.status !== 200) throw new Error(`no payment was started: ${answer.text}`)
  return answer.json.data.transaction_id
}

/** Another event of the shop's prepared payment. */
async function newEvent({ api, merchant }: TestShop): Promise<number> {
  const { sql: database, ids } = api.services
  const id = await ids.next()
  const last = await database.one<RowOf<typeof events>>(sql`select ${events.columns()} from events
    where merchant_id = ${merchant.id} and payment_id = (
      select e.payment_id from events e join event_positions p on p.merchant_id = e.merchant_id and p.event_id = e.id
      where e.merchant_id = ${merchant.id} and p.position = 1)
    order by number desc limit 1`)
  await seedEventRows(database, [{ ...last, id, number: last.number + 1 }])
  await assignAllPositions(database, merchant)
  return id
}

/** A test delivery of the shop's prepared webhook. */
async function newTest({ api, merchant, owned }: TestShop): Promise<number> {
  const { id } = await queueTestDelivery(api.services, merchant, owned['webhook_id'] ?? 0)
  return id
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
