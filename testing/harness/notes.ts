import { shownIntegerSchema, shownTextSchema } from '../../kit/api/resource.ts'
import {
  bareResponseDefinition,
  envelopeResponseDefinition,
  nullResultSchema,
  route,
} from '../../kit/api/route.ts'
import {
  booleanField,
  choiceField,
  integerField,
  listField,
  objectSchema,
  optional,
  textField,
} from '../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import { Type } from '../../kit/input/schema.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import type { Services } from '../../server/services.ts'

/**
 * A small feature with every kind of parameter and one effect, for tests of the framework behind real
 * endpoints. Only tests mount it.
 */
const CreateNote = objectSchema({
  title: textField('A title.', { max: 20 }),
  amount: integerField('An amount.', { min: 1, max: 99_999_999_999 }),
  urgent: optional(booleanField('Whether it is urgent.')),
  colour: optional(choiceField('A colour.', ['red', 'blue'])),
  numbers: optional(listField('Numbers.', integerField('A number.', { min: 0, max: 1000 }), { max: 100 })),
  items: optional(
    listField(
      'Items.',
      objectSchema({
        key: textField('A key.', { max: 5 }),
        value: optional(textField('A value.', { max: 5 })),
      }),
      { max: 3 },
    ),
  ),
  place: optional(objectSchema({ city: textField('A city.', { max: 10 }) }, 'A place.')),
})

const noteId = objectSchema({ note_id: integerField('Its id.', { min: 1, max: Number.MAX_SAFE_INTEGER }) })

const Note = Type.Object({ id: Type.Integer(), merchant_id: Type.Integer(), title: Type.String() })

/** Most numbers of eight digits are not the number of a shelf. */
const shelves: ReadonlyMap<number, string[]> = new Map([
  [12345678, ['red', 'blue']],
  [87654321, ['green']],
])

const shelfNumber = integerField('The number of a shelf, of eight digits.', {
  min: 10_000_000,
  max: 99_999_999,
  example: 12345678,
})

const Shelf = Type.Object({
  shelf_number: shownIntegerSchema('Its number.', 12345678),
  labels: shownIntegerSchema('How many labels it has.', 2),
})

const Label = Type.Object({
  merchant_id: shownIntegerSchema('Whose label it is.', 10_000_000_000_001),
  colour: Type.Object({ name: shownTextSchema('Its name.', 'red') }),
})

/**
 * Routes with parameters that the other notes lack: a required query parameter of which only some numbers are
 * known, and a parameter that is in both the query and the body, for a list without pages that can be empty.
 */
export const shelfRoutes = [
  route({
    method: 'GET',
    url: '/v1/note-shelf',
    summary: 'Look up shelf',
    description: 'Tells of a shelf by its number.',
    credential: 'secret',
    query: objectSchema({ shelf_number: shelfNumber }),
    answer: bareResponseDefinition(Shelf),
    refusals: [noSuchResource],
    handle: (_services: Services, _merchant: Merchant, { query }) => {
      const labels = shelves.get(query.shelf_number)
      if (!labels) throw new Refused(noSuchResource)
      return { shelf_number: query.shelf_number, labels: labels.length }
    },
  }),
  route({
    method: 'POST',
    url: '/v1/note-labels',
    summary: 'List labels',
    description: 'Lists the labels of a shelf, or of all.',
    credential: 'secret',
    query: objectSchema({ shelf_number: optional(shelfNumber) }),
    body: objectSchema({ shelf_number: optional(shelfNumber) }),
    answer: bareResponseDefinition(Type.Array(Label)),
    handle: (_services: Services, merchant: Merchant, { query, body }) => {
      const requested = body.shelf_number ?? query.shelf_number
      const names = requested === undefined ? [...shelves.values()].flat() : (shelves.get(requested) ?? [])
      return names.map((name) => ({ merchant_id: merchant.id, colour: { name } }))
    },
  }),
]

/** Called between the key and the effect, so that tests can stop there. */
export type Pause = (title: string) => Promise<void>

export function noteRoutes(pause: Pause = async () => undefined) {
  return [
    route({
      method: 'POST',
      url: '/v1/notes',
      summary: 'Create note',
      description: 'Writes a note.',
      credential: 'secret',
      body: CreateNote,
      answer: bareResponseDefinition(Type.Object({ ...Note.properties, given: Type.Any() })),
      handle: async ({ sql: database, ids }: Services, merchant: Merchant, { body }) => {
        await pause(body.title)
        const id = await ids.next()
        await insertNote(database, merchant.id, id, body.title)
        return { id, merchant_id: merchant.id, title: body.title, given: body }
      },
    }),
    route({
      method: 'GET',
      url: '/v1/notes/:note_id',
      summary: 'Read note',
      description: 'Reads a note.',
      credential: 'any',
      params: noteId,
      query: objectSchema({ shout: optional(booleanField('Whether to shout.')) }),
      answer: bareResponseDefinition(Note),
      handle: async ({ sql: database }: Services, merchant: Merchant, { params, query }) => {
        const note = await noteById(database, merchant.id, params.note_id)
        if (!note) throw new Refused(noSuchResource)
        const { title } = note
        return {
          id: params.note_id,
          merchant_id: merchant.id,
          title: query.shout ? title.toUpperCase() : title,
        }
      },
    }),
    ...(['POST', 'DELETE'] as const).map((method) =>
      route({
        method,
        url: '/v1/notes/:note_id/copies',
        summary: `${method} copies`,
        description: 'Does nothing, on a path with an id.',
        credential: 'secret',
        params: noteId,
        answer: envelopeResponseDefinition(nullResultSchema, { tr: 'Tamam.', en: 'Done.' }),
        handle: (_services: Services, _merchant: Merchant) => null,
      }),
    ),
    route({
      method: 'DELETE',
      url: '/v1/notes/:note_id',
      summary: 'Break',
      description: 'Fails as a bug does, with a value in its text.',
      credential: 'secret',
      params: objectSchema({ note_id: textField('Its id.', { max: 500 }) }),
      answer: envelopeResponseDefinition(nullResultSchema, { tr: 'Silindi.', en: 'Deleted.' }),
      handle: (_services: Services, _merchant: Merchant, { params }) => {
        throw new Error(`no note ${params.note_id}`)
      },
    }),
    ...shelfRoutes,
  ]
}

export async function createNotesTable(database: Sql): Promise<void> {
  await database.run(
    sql`create table if not exists notes (merchant_id bigint, id bigint, title text, primary key (merchant_id, id))`,
  )
}

export async function countNotes(database: Sql, title: string): Promise<number> {
  const rows = await database.many(sql`select id from notes where title = ${title}`)
  return rows.length
}

export async function countIdempotencyKeys(database: Sql, key: string): Promise<number> {
  const rows = await database.many(sql`select key from idempotency_keys where key = ${key}`)
  return rows.length
}

async function insertNote(database: Sql, merchantId: number, id: number, title: string): Promise<void> {
  await database.run(sql`insert into notes (merchant_id, id, title) values (${merchantId}, ${id}, ${title})`)
}

function noteById(database: Sql, merchantId: number, id: number): Promise<{ title: string } | undefined> {
  return database.maybe(sql`select title from notes where merchant_id = ${merchantId} and id = ${id}`)
}
