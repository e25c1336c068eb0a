import type { Static, TObject, TSchema } from 'typebox'
import type { Description } from '../input/fields.ts'
import { schemaDescriptionOptions } from '../input/fields.ts'
import type { Complaints, Refusal } from '../input/refusals.ts'
import { Type } from '../input/schema.ts'
import type { Language, LocalizedText } from '../text/locale.ts'

/**
 * Credential a route requires: a key (token creation only), a token made from a secret key, or a token made
 * from any key.
 */
export type RequiredCredential = 'key' | 'secret' | 'any'

/** Form of a success response: the envelope with a message, the bare resource, or a page of a list. */
export interface SuccessResponseDefinition {
  schema: TSchema
  message?: LocalizedText
  isPage?: true
  /** Fields that replace those of the schema's example; in a list they replace them in each item. */
  otherwise?: object
}

/** One page of a list. The response body holds the items; headers hold the rest. */
export interface ListPage<Item> {
  items: Item[]
  /** Number of all items, sent as `X-Total-Count`. */
  total: string
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined
}

/** An Idempotency-Key, the fingerprint of its request, and the response to replay. */
export interface StoredIdempotentResponse {
  key: string
  fingerprint: Buffer
  answer: string
  storedAt: Date
}

/** A result that is known before anything is written. */
export interface ResultWithPendingWrite<Result> {
  result: Result
  /**
   * Writes everything in one query, with the stored response. Returns false if the key is taken; then nothing
   * was written.
   */
  write(stored: StoredIdempotentResponse): Promise<boolean>
}

/** Request as every operation receives it: its parameters and the caller's data. */
export interface RouteRequest<Body, Query, Params, Converted = undefined> {
  body: Body
  query: Query
  params: Params
  /** Result of the route's `rawBody`. */
  converted: Converted
  language: Language
  /** The key that the caller sent, or that the caller's token was made from. */
  key: CallerApiKey
}

export interface CallerApiKey {
  id: number
  scope: 'secret' | 'public'
}

/** A body that is a file, not parameters. */
export interface RawBody<Services, Merchant, Converted> {
  about: Description
  types: readonly string[]
  unsupportedType: Refusal
  maxBytes: number
  /**
   * Runs before the transaction of an `Idempotency-Key`, so it may take long. It writes nothing. It does not run if the
   * key has a stored response.
   */
  convert(services: Services, merchant: Merchant, bytes: Buffer): Promise<Converted>
}

/** An endpoint without its code. */
interface RouteFacts<Merchant> {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  summary: Description
  description: Description
  credential: RequiredCredential
  /** True if a browser on a merchant's own site may call the route (CORS). */
  fromBrowsers: boolean
  /**
   * True if the route honours `Idempotency-Key`. Every POST and DELETE does, except those whose response
   * shows a secret.
   */
  idempotent: boolean
  body?: TObject
  query?: TObject
  params?: TObject
  answer: SuccessResponseDefinition
  refusals: readonly Refusal[]
  /** Values used for body fields that the caller did not send. */
  assumed?(merchant: Merchant, key: CallerApiKey): Readonly<Record<string, string>>
}

interface RouteCode<Services, Merchant, Body, Query, Params, Result, Converted> {
  /** Takes the place of `body`. */
  rawBody?: RawBody<Services, Merchant, Converted>
  /**
   * Called when parameters are wrong, with the fields of the body that could be read. It returns further
   * faults, so that one response reports all of them.
   */
  objections?(
    services: Services,
    merchant: Merchant,
    request: Pick<RouteRequest<Partial<Body>, unknown, unknown>, 'body' | 'key'>,
  ): Promise<Complaints>
  handle(
    services: Services,
    merchant: Merchant,
    request: RouteRequest<Body, Query, Params, Converted>,
  ): Promise<Result> | Result
  /**
   * Fast path for a request with an Idempotency-Key. It returns undefined if the result is not known before
   * the write. Guarantee: `handle` refuses everything that `prepare` refuses.
   */
  prepare?(
    services: Services,
    merchant: Merchant,
    request: RouteRequest<Body, Query, Params, Converted>,
  ): Promise<ResultWithPendingWrite<Result> | undefined>
}

/**
 * One endpoint as data. Validation, credential check, idempotency, refusals, the OpenAPI document and the
 * error page are all derived from it. `handle` receives valid parameters and returns only the result.
 */
export type Route<Services, Merchant> = RouteFacts<Merchant> &
  RouteCode<Services, Merchant, object, object, object, unknown, unknown>

/** Parameter names in a path: `customer_id` for `/v1/customers/:customer_id`. */
type NamesIn<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never

type Defaulted = 'fromBrowsers' | 'idempotent' | 'refusals'
type Typed = 'body' | 'query' | 'params'

export function route<
  Services,
  Merchant,
  const Url extends string,
  Body extends TObject,
  Query extends TObject,
  Params extends TObject<Record<NamesIn<Url>, TSchema>>,
  Result extends TSchema,
  Converted = undefined,
>(
  description: Omit<RouteFacts<Merchant>, Defaulted | Typed> &
    Partial<Pick<RouteFacts<Merchant>, Defaulted>> &
    RouteCode<Services, Merchant, Static<Body>, Static<Query>, Static<Params>, Static<Result>, Converted> & {
      url: Url
      body?: Body
      query?: Query
      params?: Params
      answer: { result: Result }
    },
): Route<Services, Merchant> {
  // The pipeline parses each part with the schema that types `handle`, so the cast is safe.
  return {
    fromBrowsers: false,
    idempotent: description.method !== 'GET',
    refusals: [],
    ...description,
  } as Route<Services, Merchant>
}

/** The success envelope around `result`, with a message about the completed operation. */
export function envelopeResponseDefinition<Result extends TSchema>(
  result: Result,
  message: LocalizedText,
): SuccessResponseDefinition & { result: Result } {
  return { schema: envelopeSchema(result), message, result }
}

/** The resource without an envelope. */
export function bareResponseDefinition<Result extends TSchema>(
  result: Result,
  otherwise?: object,
): SuccessResponseDefinition & { result: Result } {
  return { schema: result, result, ...(otherwise && { otherwise }) }
}

/** A list of resources, one page per response. */
export function listPageResponseDefinition<Item extends TSchema>(item: Item, about: Description) {
  const result = Type.Unsafe<ListPage<Static<Item>>>({})
  return {
    schema: Type.Array(item, schemaDescriptionOptions(about)),
    result,
    isPage: true,
  } satisfies SuccessResponseDefinition & {
    result: TSchema
  }
}

/** Result of an operation that returns no data. */
export const nullResultSchema = Type.Null(
  schemaDescriptionOptions({ tr: 'Her zaman null.', en: 'Always null.' }),
)

function envelopeSchema(data: TSchema): TSchema {
  return Type.Object({
    status: Type.Boolean(schemaDescriptionOptions({ tr: 'İşlem başarılıysa true.', en: 'True on success.' })),
    message: Type.String(
      schemaDescriptionOptions({
        tr: 'Sonucun istenen dildeki açıklaması.',
        en: 'Description of the result, in the requested language.',
      }),
    ),
    errors: Type.Array(Type.String(), {
      maxItems: 0,
      ...schemaDescriptionOptions({ tr: 'İşlem başarılıysa boş liste.', en: 'Empty list on success.' }),
    }),
    error_code: Type.Null(
      schemaDescriptionOptions({ tr: 'İşlem başarılıysa null.', en: 'Null on success.' }),
    ),
    data,
  })
}
