import type { Static, TObject, TSchema } from 'typebox'
import type { Description } from '../input/fields.ts'
import { schemaDescriptionOptions } from '../input/fields.ts'
import type { Complaints, Refusal } from '../input/refusals.ts'
import { Type } from '../input/schema.ts'
import type { Language, LocalizedText } from '../text/locale.ts'

/** Who may call: a key (token creation alone), a token made from a secret key, or a token made from either kind of key. */
export type RequiredCredential = 'key' | 'secret' | 'any'

/** How a success is answered: inside the envelope with a sentence, as the resource itself, or as a page of a list. */
export interface SuccessResponseDefinition {
  schema: TSchema
  message?: LocalizedText
  isPage?: true
  /** What of the example that its schema makes is otherwise here; of a list, in each item. */
  otherwise?: object
}

/** A part of a long list. The answer's body is the items alone; the rest of it goes into headers. */
export interface ListPage<Item> {
  items: Item[]
  /** How many there are in all, for the reader of `X-Total-Count`. */
  total: string
  /** The cursor of the next page, if there is one. */
  next: string | undefined
}

/** An Idempotency-Key, the request that it stands for, and the answer to be given again. */
export interface StoredIdempotentResponse {
  key: string
  fingerprint: Buffer
  answer: string
  storedAt: Date
}

/** An answer that is known before anything is written. */
export interface ResultWithPendingWrite<Result> {
  result: Result
  /** Writes everything in one query, with the stored response. False when the key is taken: nothing was written. */
  write(stored: StoredIdempotentResponse): Promise<boolean>
}

/** Request as every operation gets it: its parameters, and what is known about the caller. */
export interface RouteRequest<Body, Query, Params> {
  body: Body
  query: Query
  params: Params
  language: Language
  /** The key that the credential is, or was made from. */
  key: CallerApiKey
}

export interface CallerApiKey {
  id: number
  scope: 'secret' | 'public'
}

/**
 * One endpoint as data. Checks, credential, idempotency, refusals, the OpenAPI document and the error page all come
 * from here; `handle` gets parameters that are already right and answers the result alone.
 */
export interface Route<Services, Merchant> {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  summary: Description
  description: Description
  credential: RequiredCredential
  /** A browser on a merchant's own site may call it (CORS). */
  fromBrowsers: boolean
  /** Whether `Idempotency-Key` is honoured. Every POST and DELETE does so, but those whose answer shows a secret. */
  idempotent: boolean
  body: TObject | undefined
  query: TObject | undefined
  params: TObject | undefined
  answer: SuccessResponseDefinition
  refusals: readonly Refusal[]
  /** Asked when parameters are wrong: what is wrong beyond them, with the others, so that all is said at once. */
  objections: Objections<Services, Merchant> | undefined
  assumed: Assumed<Merchant> | undefined
  handle: Handle<Services, Merchant>
  /** The quick way of a request with an Idempotency-Key, where there is one. Whatever it refuses, `handle` refuses too. */
  prepare: Prepare<Services, Merchant> | undefined
}

type Objections<Services, Merchant> = (
  services: Services,
  merchant: Merchant,
  request: Pick<RouteRequest<unknown, unknown, unknown>, 'body' | 'key'>,
) => Promise<Complaints>

/** What counts as sent in the body where whoever asks leaves it out. */
type Assumed<Merchant> = (merchant: Merchant, key: CallerApiKey) => Readonly<Record<string, string>>

type Handle<Services, Merchant> = (
  services: Services,
  merchant: Merchant,
  request: RouteRequest<unknown, unknown, unknown>,
) => Promise<unknown> | unknown

type Prepare<Services, Merchant> = (
  services: Services,
  merchant: Merchant,
  request: RouteRequest<unknown, unknown, unknown>,
) => Promise<ResultWithPendingWrite<unknown> | undefined>

/** The names in an address: of `/v1/customers/:customer_id`, `customer_id`. */
type NamesIn<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never

interface RouteDefinition<
  Services,
  Merchant,
  Url extends string,
  Body extends TObject,
  Query extends TObject,
  Params extends TObject<Record<NamesIn<Url>, TSchema>>,
  Result extends TSchema,
> {
  method: 'GET' | 'POST' | 'DELETE'
  url: Url
  summary: Description
  description: Description
  credential: RequiredCredential
  fromBrowsers?: boolean
  idempotent?: boolean
  body?: Body
  query?: Query
  params?: Params
  answer: SuccessResponseDefinition & { result: Result }
  refusals?: readonly Refusal[]
  assumed?: Assumed<Merchant>
  /** Is handed those parts of the body that could be read. */
  objections?(
    services: Services,
    merchant: Merchant,
    request: Pick<RouteRequest<Partial<Static<Body>>, unknown, unknown>, 'body' | 'key'>,
  ): Promise<Complaints>
  handle(
    services: Services,
    merchant: Merchant,
    request: RouteRequest<Static<Body>, Static<Query>, Static<Params>>,
  ): Promise<Static<Result>> | Static<Result>
  /** Undefined when the answer is not known before. */
  prepare?(
    services: Services,
    merchant: Merchant,
    request: RouteRequest<Static<Body>, Static<Query>, Static<Params>>,
  ): Promise<ResultWithPendingWrite<Static<Result>> | undefined>
}

export function route<
  Services,
  Merchant,
  const Url extends string,
  Body extends TObject,
  Query extends TObject,
  Params extends TObject<Record<NamesIn<Url>, TSchema>>,
  Result extends TSchema,
>(
  description: RouteDefinition<Services, Merchant, Url, Body, Query, Params, Result>,
): Route<Services, Merchant> {
  return {
    fromBrowsers: false,
    idempotent: description.method !== 'GET',
    refusals: [],
    body: undefined,
    query: undefined,
    params: undefined,
    assumed: undefined,
    ...description,
    objections: description.objections as Objections<Services, Merchant> | undefined,
    // The frame reads each part by the very schema that `handle` is typed by.
    handle: description.handle as Handle<Services, Merchant>,
    prepare: description.prepare as Prepare<Services, Merchant> | undefined,
  }
}

/** The success envelope around `result`, with the sentence that says what was done. */
export function envelopeResponseDefinition<Result extends TSchema>(
  result: Result,
  message: LocalizedText,
): SuccessResponseDefinition & { result: Result } {
  return { schema: envelopeSchema(result), message, result }
}

/** The resource itself, without an envelope. */
export function bareResponseDefinition<Result extends TSchema>(
  result: Result,
  otherwise?: object,
): SuccessResponseDefinition & { result: Result } {
  return { schema: result, result, ...(otherwise && { otherwise }) }
}

/** A list of resources, a page at a time. */
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

/** The result of an operation that has none. */
export const nullResultSchema = Type.Null(
  schemaDescriptionOptions({ tr: 'Her zaman null.', en: 'Always null.' }),
)

function envelopeSchema(data: TSchema): TSchema {
  return Type.Object({
    status: Type.Boolean(schemaDescriptionOptions({ tr: 'İşlem başarılıysa true.', en: 'True on success.' })),
    message: Type.String(
      schemaDescriptionOptions({
        tr: 'Yapılan işlemin istenen dildeki açıklaması.',
        en: 'What was done, in the language asked for.',
      }),
    ),
    errors: Type.Array(Type.String(), {
      maxItems: 0,
      ...schemaDescriptionOptions({ tr: 'İşlem başarılıysa boş.', en: 'Empty on success.' }),
    }),
    error_code: Type.Null(
      schemaDescriptionOptions({ tr: 'İşlem başarılıysa null.', en: 'Null on success.' }),
    ),
    data,
  })
}
