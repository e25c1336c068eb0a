import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { timestampedMetadata } from '../../kit/api/metadata.ts'
import {
  bareResponseDefinition,
  envelopeResponseDefinition,
  listPageResponseDefinition,
  nullResultSchema,
  route,
} from '../../kit/api/route.ts'
import type { KeyValuePair } from '../../kit/input/fields.ts'
import { idField, objectSchema, queryFiltersSchema } from '../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { MaybePromise } from '../../kit/runtime/maybe-promise.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import type { SearchTerm } from '../database/full-text-search.ts'
import {
  checkSearchWordCount,
  combineSearchTerms,
  listPageOf,
  searchFilterFields,
  searchWindowFromFilters,
} from '../database/search.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { ResourceRecord } from './record.ts'
import { newResourceRecord, withNotedChange } from './record.ts'
import type { ResourceStore, ResourceTable } from './store.ts'
import { resourceStore } from './store.ts'

interface ResourceDefinition<Stored extends ResourceRecord, Shown extends TSchema> {
  table: Pick<ResourceTable, 'name' | 'map'>
  /** Searchable words of a record, as a tsvector. */
  searchVector(record: Stored): string
  /** Address of all records: `/v1/customers`. */
  url: string
  /** Path parameter that names a record. */
  id: { name: string; about: LocalizedText }
  schema: Shown
  show(record: Stored, merchant: Merchant, language: Language, apiUrl: string): Static<Shown>
}

interface EndpointTexts {
  summary: LocalizedText
  description: LocalizedText
}

interface BodyEndpoint<Body extends TObject, Origin, Stored> extends EndpointTexts {
  body: Body
  /** The columns that a resource has besides those of every resource. */
  columns(body: Static<Body>, from: Origin): Omit<Stored, keyof ResourceRecord>
}

type Metadata = readonly KeyValuePair[] | null

/** Records of a merchant that the API creates, reads, changes, deletes and searches. */
export class Resource<Stored extends ResourceRecord, Shown extends TSchema> {
  readonly store: ResourceStore<Stored>
  readonly #definition: ResourceDefinition<Stored, Shown>

  constructor(definition: ResourceDefinition<Stored, Shown>) {
    this.store = resourceStore(definition.table, definition.searchVector)
    this.#definition = definition
  }

  routeToCreate<Body extends TObject>({ columns, ...endpoint }: BodyEndpoint<Body, Merchant, Stored>) {
    return route({
      ...endpoint,
      method: 'POST',
      url: this.#definition.url,
      credential: 'secret',
      answer: bareResponseDefinition(this.#definition.schema),
      handle: async (services: Services, merchant: Merchant, request) => {
        const now = services.clock.now()
        const { metadata } = request.body as { metadata?: Metadata }
        const record = {
          ...columns(request.body, merchant),
          ...newResourceRecord(merchant.id, await services.ids.next(), now),
          metadata: timestampedMetadata(metadata ?? [], now),
        } as Stored
        await this.store.insert(services.sql, record)
        return this.#shown(record, services, merchant, request)
      },
    })
  }

  routeToRead(texts: EndpointTexts) {
    return route({
      ...texts,
      method: 'GET',
      ...this.#urlOfOne(),
      credential: 'secret',
      answer: bareResponseDefinition(this.#definition.schema),
      handle: async (services: Services, merchant: Merchant, request) => {
        const record = await this.store.byId(services.sql, merchant.id, idIn(request))
        return this.#shown(existing(record), services, merchant, request)
      },
    })
  }

  routeToChange<Body extends TObject>({ columns, ...endpoint }: BodyEndpoint<Body, Stored, Stored>) {
    return route({
      ...endpoint,
      method: 'POST',
      ...this.#urlOfOne(),
      credential: 'secret',
      answer: bareResponseDefinition(this.#definition.schema),
      handle: (services: Services, merchant: Merchant, request) => {
        const { metadata } = request.body as { metadata?: Metadata }
        return this.change(services, merchant, { ...request, id: idIn(request) }, (before, now) => {
          const { merchantId, id, createdAt, changes } = before
          const identity = { merchantId, id, createdAt, changes, metadata: before.metadata }
          const after = { ...before, ...columns(request.body, before), ...identity }
          if (metadata !== undefined)
            after.metadata = timestampedMetadata(metadata ?? [], now, before.metadata)
          return after
        })
      },
    })
  }

  /** Changes a record. Guarantee: a change to the same values leaves no trace, in the timeline or elsewhere. */
  async change(
    services: Services,
    merchant: Merchant,
    request: { id: number; language: Language },
    change: (before: Stored, now: Date, sql: Sql) => MaybePromise<Stored>,
  ): Promise<Static<Shown>> {
    const record = await services.sql.transaction(async (sql) => {
      const before = existing(await this.store.forUpdate(sql, merchant.id, request.id))
      const now = services.clock.now()
      const noted = withNotedChange(before, await change(before, now, sql), now)
      if (noted !== before) await this.store.update(sql, noted)
      return noted
    })
    return this.#shown(record, services, merchant, request)
  }

  routeToDelete({ message, ...texts }: EndpointTexts & { message: LocalizedText }) {
    return route({
      ...texts,
      method: 'DELETE',
      ...this.#urlOfOne(),
      credential: 'secret',
      answer: envelopeResponseDefinition(nullResultSchema, message),
      handle: async ({ sql, clock }: Services, merchant: Merchant, request) => {
        const isDeleted = await this.store.softDelete(sql, merchant.id, idIn(request), clock.now())
        if (!isDeleted) throw new Refused(noSuchResource)
        return null
      },
    })
  }

  /** `terms` gives the terms of each filter; undefined for a filter that is not sent. */
  routeToSearch<Filters extends TProperties>({
    filters,
    terms,
    found,
    ...texts
  }: EndpointTexts & {
    filters: Filters
    terms(sent: Static<TObject<Filters>>): readonly (SearchTerm[] | undefined)[]
    found: LocalizedText
  }) {
    return route({
      ...texts,
      method: 'GET',
      url: `${this.#definition.url}/search`,
      credential: 'secret',
      query: queryFiltersSchema({ ...filters, ...searchFilterFields }, { rule: checkSearchWordCount }),
      answer: listPageResponseDefinition(this.#definition.schema, found),
      handle: async (services: Services, merchant: Merchant, request) => {
        const query = request.query as Static<TObject<Filters>> & Static<TObject<typeof searchFilterFields>>
        const combined = combineSearchTerms(terms(query))
        const window = searchWindowFromFilters(query, merchant.timeZone)
        const search = { ...window, merchantId: merchant.id, terms: combined ?? [] }
        const result = combined
          ? await services.searches.run((sql) => this.store.search(sql, search))
          : { items: [], count: 0, hasMore: false }
        const { items, ...rest } = listPageOf<Stored>(result)
        return { items: items.map((record) => this.#shown(record, services, merchant, request)), ...rest }
      },
    })
  }

  /** Address of one record. */
  #urlOfOne() {
    const { url, id } = this.#definition
    return { url: `${url}/:${id.name}`, params: objectSchema({ [id.name]: idField(id.about) }) }
  }

  #shown(
    record: Stored,
    { config }: Services,
    merchant: Merchant,
    { language }: { language: Language },
  ): Static<Shown> {
    return this.#definition.show(record, merchant, language, config.apiUrl)
  }
}

/** The path has one parameter. */
function idIn({ params }: { params: Record<string, number> }): number {
  return Object.values(params)[0] as number
}

function existing<Stored>(record: Stored | undefined): Stored {
  if (!record) throw new Refused(noSuchResource)
  return record
}
