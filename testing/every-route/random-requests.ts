import fc from 'fast-check'
import type { ApiRoute } from '../../server/api.ts'
import { anyCharacter } from '../harness/any-text.ts'
import type { TestRequest } from '../harness/api.ts'
import { formPairs } from './encode-input.ts'
import type { RouteField, RouteSchema } from './field.ts'
import { fieldKind, fieldsOf } from './field.ts'
import { hostileTexts } from './hostile-inputs.ts'
import { urlWithId } from './record-paths.ts'
import { isAnyIntegerValid, validBody, validQuery } from './samples.ts'
import type { TestShop } from './shop.ts'

/** A generated request. Its record is chosen when it is sent, from those that exist then. */
export interface RandomRequest {
  route: number
  /** Index of a record, or a text in the place of its id. */
  about: number | string
  query: string
  body: string
  type: string
  headers: Record<string, string>
}

/** Requests of all routes: known names with valid and invalid values, unknown names, broken encodings. */
export async function randomRequests(
  shop: TestShop,
  routes: readonly ApiRoute[],
): Promise<fc.Arbitrary<RandomRequest>> {
  const ofRoutes = await Promise.all(routes.map((route, index) => requestOf(shop, route, index)))
  return fc.oneof(...ofRoutes)
}

export function asTestRequest(
  shop: TestShop,
  route: ApiRoute,
  made: RandomRequest,
  id: number | string,
): Partial<TestRequest> {
  const url = urlWithId(shop, route, encodeURIComponent(id))
  return {
    url: made.query === '' ? url : `${url}?${made.query}`,
    headers: { ...made.headers, ...(made.body === '' ? {} : { 'content-type': made.type }) },
    ...(made.body === '' ? {} : { body: made.body }),
  }
}

type Values = Record<string, unknown>

async function requestOf(
  shop: TestShop,
  route: ApiRoute,
  index: number,
): Promise<fc.Arbitrary<RandomRequest>> {
  const body = route.body ? valuesOf(route.body, await validBody(shop, route)) : fc.constant<Values>({})
  const query = route.query
    ? valuesOf(route.query, await validQuery(shop, route, Object.keys(route.query.properties)), fewOf)
    : fc.constant<Values>({})
  const form = 'application/x-www-form-urlencoded'
  const bodies = fc.oneof(
    { weight: 5, arbitrary: body.map((values) => [formPairs(values).join('&'), form]) },
    { weight: 5, arbitrary: body.map((values) => [JSON.stringify(values), 'application/json']) },
    {
      weight: 1,
      arbitrary: broken(body.map((values) => formPairs(values).join('&'))).map((text) => [text, form]),
    },
    {
      weight: 1,
      arbitrary: broken(body.map((values) => JSON.stringify(values))).map((text) => [
        text,
        'application/json',
      ]),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.string({ unit: anyCharacter }),
        fc.constantFrom('', 'text/plain', form, 'application/json; charset=utf-16'),
      ),
    },
  )
  return fc
    .record({
      route: fc.constant(index),
      about: fc.oneof({ weight: 6, arbitrary: fc.nat() }, { weight: 1, arbitrary: idText }),
      query: fc.oneof(
        { weight: 6, arbitrary: query.map((values) => formPairs(values).join('&')) },
        { weight: 1, arbitrary: broken(query.map((values) => formPairs(values).join('&'))) },
      ),
      body: bodies,
      headers,
    })
    .map(({ body: [text = '', type = ''], ...others }) => ({
      ...others,
      query: asAscii(others.query),
      body: text,
      type,
    }))
}

/** Mostly valid values, some missing or invalid, and sometimes unknown names. */
function valuesOf(
  part: object,
  rights: Values,
  someOf: (fields: RouteField[]) => fc.Arbitrary<string[]> = maxOf,
): fc.Arbitrary<Values> {
  const fields = fieldsOf(part).filter(({ path }) => path.length === 1)
  const spoiled = fc.oneof(
    ...fields.map((field) => fc.tuple(fc.constant(field.key), madeUpValue(field, rights[field.key]))),
  )
  const stranger = fc.tuple(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'id', 'merchant_id')),
    anything,
  )
  const good = fc.record(
    Object.fromEntries(fields.map((field) => [field.key, goodValue(field, rights[field.key])])),
  )
  return fc
    .tuple(
      good,
      someOf(fields),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(spoiled, { minLength: 1, maxLength: 2 }) },
      ),
      fc.oneof(
        { weight: 9, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(stranger, { maxLength: 2 }) },
      ),
    )
    .map(([values, kept, changes, strangers]) =>
      Object.fromEntries([...kept.map((name) => [name, values[name]]), ...changes, ...strangers]),
    )
}

function maxOf(fields: RouteField[]): fc.Arbitrary<string[]> {
  const names = fields.map(({ key }) => key)
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(names) },
    { weight: 1, arbitrary: fc.subarray(names, { minLength: Math.max(0, names.length - 2) }) },
  )
}

/** Usually the required parameters, and at most two others, because some filters exclude each other. */
function fewOf(fields: RouteField[]): fc.Arbitrary<string[]> {
  const namesWhere = (isRequired: boolean) =>
    fields.filter((field) => field.isRequired === isRequired).map(({ key }) => key)
  const [required, others] = [namesWhere(true), namesWhere(false)]
  const few = fc.subarray(others, { maxLength: Math.min(2, others.length) })
  return fc.oneof(
    { weight: 6, arbitrary: few.map((names) => [...required, ...names]) },
    { weight: 1, arbitrary: few },
  )
}

/** Values that the route must accept: the known valid value, or any valid value of that kind. */
function goodValue(field: RouteField, right: unknown): fc.Arbitrary<unknown> {
  const { kind, schema } = field
  if (kind === 'integer' && isAnyIntegerValid(field)) {
    return fc.oneof(fc.constant(right), fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 }))
  }
  if (kind !== 'text') return fc.constant(right)
  const short = fc.string({ unit: 'grapheme', maxLength: 10 })
  return fc.oneof(fc.constant(right), short, fc.constantFrom(...Object.values(hostileTexts))).map((text) => {
    const isGood = [...String(text)].length <= (schema.maxLength ?? 0) && !String(text).includes('\0')
    return isGood && String(text).trim() !== '' ? text : right
  })
}

function madeUpValue({ schema }: RouteField, right: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(right) },
    { weight: 8, arbitrary: fittingOf(schema) },
    { weight: 2, arbitrary: anyText },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.tuple(anyText, anyText).map(([front, back]) => front + right + back) },
    { weight: 1, arbitrary: cursor },
    { weight: 1, arbitrary: moment },
  )
}

/** Values within, at and just beyond the limits of the parameter. */
function fittingOf(schema: RouteSchema): fc.Arbitrary<unknown> {
  const { maxLength: most, minimum: least = 0, maximum: greatest = 1000 } = schema
  if (most !== undefined) {
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...Object.values(hostileTexts)) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(most, 30) }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: most + 1 }) },
    )
  }
  if (fieldKind(schema) === 'integer') {
    return fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: least, max: greatest }) },
      { weight: 1, arbitrary: fc.constantFrom(least, least - 1, greatest, greatest + 1) },
    )
  }
  const plain = fc.oneof(
    fc.constantFrom(...Object.values(hostileTexts)),
    fc.string(),
    fc.double(),
    fc.boolean(),
  )
  return fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 41 }), plain)
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...Object.values(hostileTexts)),
  fc.constantFrom('x'.repeat(10_000), '\u0301'.repeat(3000), '9'.repeat(400)),
)

const anything = fc.oneof(
  anyText,
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.jsonValue({ maxDepth: 3 }),
)

const cursor = fc
  .tuple(
    fc.oneof(fc.nat(), fc.constantFrom(1794724200000, 99999999999999)),
    fc.nat({ max: 99_999_999_999_999 }),
  )
  .map(([ms, id]) => Buffer.from(`${ms}.${String(id).padStart(14, '1')}`).toString('base64url'))

const moment = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom(
    '2026-02-30',
    '1000-01-01',
    '2999-12-31',
    '2026-11-15T24:00:00+03:00',
    '2026-11-15T09:30+99:99',
  ),
)

const idText = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.nat({ max: 99_999_999_999_999 }).map(String),
    fc.constantFrom(...Object.values(hostileTexts)),
  )
  .map((text) => (['', '.', '..', 'search'].includes(text.trim()) ? 'x' : text.slice(0, 200)))

const headerText = fc.string({
  unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
})

const headers = fc
  .record(
    {
      'idempotency-key': fc.oneof(
        { weight: 8, arbitrary: fc.noBias(fc.nat({ max: 2000 })).map((key) => `key ${key}`) },
        { weight: 1, arbitrary: headerText },
        { weight: 1, arbitrary: fc.constant('k'.repeat(256)) },
      ),
      'accept-language': fc.oneof(fc.constantFrom('tr', 'en', 'de, en;q=0.3', '*'), headerText),
      'x-request-id': headerText,
      'user-agent': headerText,
    },
    { requiredKeys: [] },
  )
  .map((given) => given as Record<string, string>)

/** The text with a piece replaced. */
function broken(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.constantFrom('%', '%zz', '%FF', '%00', '[', ']', '[0]', '&', '=', '{', '"', '\\', '\0', '\ud800'),
    fc.string(),
  )
  return fc.tuple(text, fc.nat(), fc.nat({ max: 5 }), piece).map(([whole, at, cut, put]) => {
    const start = whole.length === 0 ? 0 : at % whole.length
    return whole.slice(0, start) + put + whole.slice(start + cut)
  })
}

/** Encodes characters that an address cannot contain, and drops lone surrogates. */
function asAscii(query: string): string {
  return query.replaceAll(/[^!-~]|[#<>"{}|\\^`]/gu, (letter) =>
    letter.isWellFormed() ? encodeURIComponent(letter) : '',
  )
}
