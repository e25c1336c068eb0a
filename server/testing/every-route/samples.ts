import type { ApiRoute } from '../../api.ts'
import type { Field, Schema } from './field.ts'
import { fieldsOf, isId, kindOf, nameOf } from './field.ts'
import { make } from './makers.ts'
import type { Shop } from './shop.ts'

/** Right values of parameters whose description shows no example, by name. */
const rights: Readonly<Record<string, unknown>> = {
  currency_code: 'EUR',
  created_from: '2026-11-15',
  created_to: '2026-11-15T09:30:00+03:00',
  after: Buffer.from('1794724200000.10000000000001').toString('base64url'),
  title: 'Not',
  city: 'Ankara',
}

/** The longest right value of parameters that are judged, so that no other text of that length would do. */
const longest: Readonly<Record<string, string>> = {
  email: `${'a'.repeat(64)}@${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(61)}.com`,
}

/** What an accepted text of a judged parameter becomes, where that is not the text itself. */
const becomes: Readonly<Record<string, (text: string) => string>> = {
  country: (text) => text.toUpperCase(),
  currency_code: (text) => text.toUpperCase(),
  phone: (text) => `+${text.normalize('NFKC').replaceAll(/\D/g, '')}`,
}

/** Whole bodies of routes that ask for more than values that are right each for itself. */
const bodies: Readonly<Record<string, (shop: Shop) => Promise<Record<string, unknown>>>> = {}

/** A body that the route accepts: everything that can be said, or the named parameters alone. */
export async function rightBody(
  shop: Shop,
  route: ApiRoute,
  names?: readonly string[],
): Promise<Record<string, unknown>> {
  const whole = bodies[nameOf(route)]
  if (whole) return picked(await whole(shop), names)
  const { properties = {} } = (route.body ?? {}) as Schema
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (!names || names.includes(name)) body[name] = await rightValue(shop, name, schema)
  }
  return body
}

export function requiredNames(route: ApiRoute): string[] {
  return ((route.body ?? {}) as Schema).required ?? []
}

/** A value of JSON that is right for the parameter. */
export async function rightValue(shop: Shop, name: string, schema: Schema): Promise<unknown> {
  const example = schema.examples?.[0] ?? rights[name] ?? exampleElsewhere(shop, name, schema)
  if (example !== undefined) return example
  if (isId(schema)) return make(shop, name.replace(/s$/, ''))
  switch (kindOf(schema)) {
    case 'text':
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
      return [await rightValue(shop, name, schema.items ?? {})]
    case 'record':
      return rightRecord(shop, schema)
    default:
      throw new Error(`say in server/testing/every-route/samples.ts a right value of ${name}`)
  }
}

/** The longest right value of a judged parameter, if there is a known one. */
export function longestRight({ path, schema }: Field): string | undefined {
  const text = longest[path.at(-1) ?? '']
  return text !== undefined && text.length === schema.maxLength ? text : undefined
}

/** The text as it is stored: trimmed, composed, and as a judged parameter writes it. */
export function asStored({ path, kind }: Pick<Field, 'path' | 'kind'>, text: string): string {
  const plain = text.trim().normalize('NFC')
  return kind === 'judged' ? (becomes[path.at(-1) ?? '']?.(plain) ?? plain) : plain
}

async function rightRecord(shop: Shop, { properties = {} }: Schema): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = []
  for (const [name, schema] of Object.entries(properties)) {
    entries.push([name, await rightValue(shop, name, schema)])
  }
  return Object.fromEntries(entries)
}

/** The same name means the same wherever it stands: a filter has the example of what it filters. */
function exampleElsewhere({ routes }: Shop, name: string, schema: Schema): unknown {
  if (kindOf(schema) !== 'judged') return undefined
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
