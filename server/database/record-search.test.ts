import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../kit/runtime/sql.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { repetitions } from '../../testing/harness/tier.ts'
import { seed } from '../../testing/seed/seed.ts'
import { products } from '../products/product.ts'
import type { SearchTerm } from './full-text-search.ts'
import { tsvectorOf } from './full-text-search.ts'
import type { RecordSearch, scanLimits } from './record-search.ts'
import { searchNewestFirst } from './record-search.ts'
import type { ListCursor } from './search.ts'
import { maxExactCount } from './search.ts'

const { sql: database } = await testDatabase()

interface Row extends ListCursor {
  words: Record<string, string[]>
  isDeleted: boolean
}

let merchants = 10_000_000_000_000

/** A new merchant with these records, inserted in an order unrelated to their age. */
async function merchantWith(rows: readonly Row[]): Promise<number> {
  const merchantId = ++merchants
  const same = { productName: '', priceMinor: 1, currencyCode: 'TRY', quantity: 1, systemId: 1 }
  const inserted = rows.map(({ id, createdAt, words, isDeleted }) => ({
    ...same,
    merchantId,
    id,
    metadata: [],
    changes: [],
    words: isDeleted ? '' : tsvectorOf(merchantId, words),
    createdAt,
    updatedAt: createdAt,
    deletedAt: isDeleted ? createdAt : null,
  }))
  await seed(database, products, inserted)
  return merchantId
}

type Question = Pick<RecordSearch<unknown>, 'terms' | 'from' | 'before' | 'limit'>

/** All pages, each after the last record of the one before. */
async function pagesOf(merchantId: number, question: Question, steps?: typeof scanLimits) {
  const pages: { ids: number[]; count: number }[] = []
  for (let after: ListCursor | undefined; ; ) {
    const search = { ...question, table: products.pick('id', 'createdAt'), merchantId, after }
    const { items, count, hasMore } = await searchNewestFirst<ListCursor>(database, search, steps)
    pages.push({ ids: items.map(({ id }) => id), count })
    if (!hasMore) return pages
    assert.ok(pages.length < 100, 'the pages come to an end')
    after = items.at(-1)
  }
}

/** The expected pages, computed from all records. */
function modelOf(rows: readonly Row[], { terms, from, before, limit }: Question) {
  const found = rows
    .filter((row) => !row.isDeleted && terms.every((term) => fits(row, term)))
    .filter(({ createdAt }) => (!from || createdAt >= from) && (!before || createdAt < before))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id)
    .map(({ id }) => id)
  const pages = Array.from({ length: Math.max(1, Math.ceil(found.length / limit)) }, (_, page) =>
    found.slice(page * limit, (page + 1) * limit),
  )
  return pages.map((ids) => ({ ids, count: Math.min(found.length, maxExactCount + 1) }))
}

function fits({ words }: Row, { fields, word, whole, or }: SearchTerm): boolean {
  const isFound = fields.some((field) =>
    words[field]?.some((other) => (whole ? other === word : other.startsWith(word))),
  )
  return isFound || (or?.every((term) => fits({ words } as Row, term)) ?? false)
}

const fields = ['n', 'd']
const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'c', "o'x", 'a\\b', '90532')
const moment = fc.integer({ min: 0, max: 12 }).map((ms) => new Date(1_763_188_200_000 + ms))

const records = fc
  .array(
    fc.record({
      createdAt: moment,
      words: fc.record({ n: fc.array(word, { maxLength: 3 }), d: fc.array(word, { maxLength: 2 }) }),
      isDeleted: fc.integer({ max: 4, min: 0 }).map((chance) => chance === 0),
    }),
    { maxLength: 40 },
  )
  .chain((rows) =>
    fc
      .shuffledSubarray(rows, { minLength: rows.length })
      .map((all) => all.map((row, index) => ({ ...row, id: 20_000_000_000_000 + index }))),
  )

const plainTerm = fc.record({ fields: fc.subarray(fields, { minLength: 1 }), word })
const term: fc.Arbitrary<SearchTerm> = fc.oneof(
  plainTerm,
  plainTerm.map((plain) => ({ ...plain, whole: true as const })),
  fc
    .tuple(plainTerm, fc.array(plainTerm, { minLength: 1, maxLength: 2 }))
    .map(([one, or]) => ({ ...one, or })),
)

const question = fc.record({
  terms: fc.array(term, { maxLength: 2 }),
  from: fc.option(moment, { nil: undefined }),
  before: fc.option(moment, { nil: undefined }),
  limit: fc.integer({ min: 1, max: 12 }),
})

/** Small limits, so that the scan often ends early; or the default limits. */
const step = fc.integer({ min: 1, max: 15 })
const steps = fc.option(fc.record({ first: step, longest: step, longestForMany: step, maxSorted: step }), {
  nil: undefined,
  freq: 3,
})

const short = (steps: number, maxSorted = 10_000) => ({
  first: steps,
  longest: steps,
  longestForMany: steps,
  maxSorted,
})

describe('a search', () => {
  it('returns the same pages and counts as a full scan, with any limits', async () => {
    await fc.assert(
      fc.asyncProperty(records, question, steps, async (rows, asked, walked) => {
        const merchantId = await merchantWith(rows)
        assert.deepEqual(await pagesOf(merchantId, asked, walked), modelOf(rows, asked))
      }),
      { numRuns: repetitions(400) },
    )
  })

  it('finds no records of other merchants', async () => {
    const row = { createdAt: new Date(0), words: { n: ['a'] }, isDeleted: false }
    const [one, other] = [await merchantWith([{ ...row, id: 1 }]), await merchantWith([{ ...row, id: 2 }])]
    for (const terms of [[], [{ fields: ['n'], word: 'a' }]]) {
      const asked = { terms, from: undefined, before: undefined, limit: 5 }
      assert.deepEqual(await pagesOf(one, asked), [{ ids: [1], count: 1 }])
      assert.deepEqual(await pagesOf(other, asked, short(1)), [{ ids: [2], count: 1 }])
    }
  })
})

describe('a search among more than a thousand records', () => {
  const rows = Array.from({ length: 1300 }, (_, index) => ({
    id: 20_000_000_000_000 + index,
    createdAt: new Date(1_763_188_200_000 + Math.floor(index / 3)),
    words: {
      n: [
        index < 1100 ? 'old' : 'new',
        index % 400 === 7 ? 'rare' : 'usual',
        ...(index < 1001 ? ['one'] : []),
        ...(index < 1000 ? ['thousand'] : []),
      ],
    },
    isDeleted: false,
  }))
  const ways: [string, typeof scanLimits | undefined][] = [
    ['the walk finds all', undefined],
    ['a longer walk may', { ...short(10), longest: 2000 }],
    ['the index must be asked', short(10)],
    ['it must walk on as far as it takes', short(10, 1000)],
  ]
  for (const [way, walked] of ways) {
    for (const searched of ['usual', 'old', 'new', 'rare', 'one', 'thousand', 'nothing']) {
      it(`has the right pages and counts for a word that is ${searched}, when ${way}`, async () => {
        const merchantId = await merchantWith(rows)
        const terms = [{ fields: ['n'], word: searched }]
        const asked = { terms, from: undefined, before: undefined, limit: 100 }
        assert.deepEqual(await pagesOf(merchantId, asked, walked), modelOf(rows, asked))
      })
    }
  }

  it('without a word finds everything and counts up to 1001', async () => {
    const merchantId = await merchantWith(rows)
    const asked = { terms: [], from: undefined, before: undefined, limit: 100 }
    for (const steps of [undefined, short(1000), short(1001)]) {
      const pages = await pagesOf(merchantId, asked, steps)
      assert.deepEqual(pages, modelOf(rows, asked))
      assert.equal(pages[0]?.count, 1001)
    }
  })
})

it('every searched table has the two indexes that a search needs', async () => {
  for (const table of ['customers', 'products']) {
    const indexes = await database.many<{ definition: string }>(
      sql`select indexdef as definition from pg_indexes where tablename = ${table}`,
    )
    const has = (pattern: RegExp) => indexes.some(({ definition }) => pattern.test(definition))
    assert.ok(has(/\(merchant_id, created_at DESC, id DESC\) WHERE \(deleted_at IS NULL\)/), table)
    assert.ok(has(/USING gin \(words\)/), table)
  }
})
