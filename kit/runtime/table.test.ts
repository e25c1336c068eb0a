import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyDatabase } from '../../testing/harness/database.ts'
import type { SqlFragment } from './sql.ts'
import { reusableQuery, sql } from './sql.ts'
import type { RowOf } from './table.ts'
import {
  bigint,
  boolean,
  bytea,
  date,
  defineMerchantTable,
  defineTable,
  integer,
  jsonb,
  numeric,
  text,
  textArray,
  timestamptz,
  tsvector,
} from './table.ts'

const parcels = defineMerchantTable('parcels', {
  merchantId: bigint(),
  id: bigint(),
  state: text<'packed' | 'sent'>(),
  feeMinor: bigint(),
  weightClass: integer(),
  taxRate: numeric(),
  supports3d: boolean(),
  items: jsonb<{ name: string }[]>(),
  labels: textArray(),
  pageKey: bytea(),
  words: tsvector(),
  sentOn: date(),
  createdAt: timestamptz(),
  note: text().orNull(),
  sourceId: bigint().orNull(),
  extra: jsonb<object>().orNull(),
  seal: bytea().orNull(),
  endedAt: timestamptz().orNull(),
})
type Parcel = RowOf<typeof parcels>

const { sql: database } = await emptyDatabase()
await database.run(sql`create table parcels (merchant_id bigint not null, id bigint not null, state text not null,
  fee bigint not null, weight_class integer not null, tax_rate numeric(20, 18) not null, supports_3d boolean not null,
  items jsonb not null, labels text[] not null, page_key bytea not null, words tsvector not null,
  sent_on date not null, created_at timestamptz not null, note text, source_id bigint, extra jsonb, seal bytea,
  ended_at timestamptz)`)

const everyByte = Buffer.from([...Array(256).keys(), 92, 92, 120])

const empty: Parcel = {
  merchantId: 1,
  id: 1,
  state: 'packed',
  feeMinor: 0,
  weightClass: 0,
  taxRate: '0.000000000000000000',
  supports3d: false,
  items: [],
  labels: [],
  pageKey: Buffer.alloc(0),
  words: '',
  sentOn: '2026-01-01',
  createdAt: new Date(0),
  note: null,
  sourceId: null,
  extra: null,
  seal: null,
  endedAt: null,
}
const full: Parcel = {
  merchantId: 1,
  id: 2,
  state: 'sent',
  feeMinor: 99_999_999_999_999,
  weightClass: -3,
  taxRate: '1.234567890123456789',
  supports3d: true,
  items: [{ name: 'İğne "1"' }, { name: "{a,\\b}'" }],
  labels: ['a', 'b,"c"', '{}', 'null', '\\x41'],
  pageKey: everyByte,
  words: "'blue':2 'red':1",
  sentOn: '2026-03-29',
  createdAt: new Date('2026-03-29T01:30:00.007Z'),
  note: '',
  sourceId: 7,
  extra: { list: [1, null], text: 'a' },
  seal: everyByte,
  endedAt: new Date('1999-12-31T23:59:59.999Z'),
}
const rows = [empty, full]

/** Runs the work in a transaction of which nothing is left. */
async function undone(work: (transaction: typeof database) => Promise<void>): Promise<void> {
  const done = new Error('done')
  const outcome = database.transaction(async (transaction) => {
    await work(transaction)
    throw done
  })
  await assert.rejects(outcome, (error) => {
    if (error !== done) throw error
    return true
  })
}

const insertOf = (row: Parcel) => sql`insert into parcels (${parcels.names}) values (${parcels.values(row)})`

async function readPacked(from: typeof database, packed: SqlFragment): Promise<unknown[][]> {
  const found = await from.many<{ packed: unknown[] }>(
    sql`select ${packed} as packed from parcels p order by id`,
  )
  return found.map((row) => row.packed)
}

describe('a column in the database', () => {
  const nameOf = (name: string) => defineTable('t', { [name]: text() }).catalog[0]?.column

  it('has the name in code in snake_case, and an amount has no suffix', () => {
    const names = ['id', 'merchantId', 'amountMinor', 'bankChargedMinor', 'supports3d', 'serverTransId']
    const columns = ['id', 'merchant_id', 'amount', 'bank_charged', 'supports_3d', 'server_trans_id']
    assert.deepEqual(names.map(nameOf), columns)
    assert.equal(nameOf('atPreAuthDeadline'), 'at_pre_auth_deadline')
  })

  it('has the name, type and nullability that the map says', async () => {
    const columns = await database.many(sql`select attname as "column", not attnotnull as "isNullable",
        replace(format_type(atttypid, null), 'timestamp with time zone', 'timestamptz') as "sqlType"
      from pg_attribute where attrelid = 'parcels'::regclass and attnum > 0 order by attnum`)
    assert.deepEqual(
      parcels.catalog.map(({ name: _, ...column }) => column),
      columns,
    )
    assert.deepEqual(
      parcels.catalog.map(({ name }) => name),
      Object.keys(full),
    )
  })
})

describe('a row that is written', () => {
  it('is read unchanged through its columns', () =>
    undone(async (transaction) => {
      for (const row of rows) await transaction.run(insertOf(row))
      const plain = sql`select ${parcels.columns()} from parcels order by id`
      const withAlias = sql`select ${parcels.columns('p')} from parcels p order by p.id`
      assert.deepEqual(await transaction.many(plain), rows)
      assert.deepEqual(await transaction.many(withAlias), rows)
    }))

  it('is read unchanged through one packed column, with every setting of the database', () =>
    undone(async (transaction) => {
      for (const row of rows) await transaction.run(insertOf(row))
      for (const bytes of ['hex', 'escape'])
        for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
          await transaction.run(sql`select set_config('bytea_output', ${bytes}, true),
            set_config('timezone', ${zone}, true), set_config('datestyle', 'German', true)`)
          const packed = await readPacked(transaction, parcels.packed('p'))
          assert.deepEqual(packed.map(parcels.unpack), rows, `${bytes} ${zone}`)
        }
    }))

  it('is read unchanged after assignments', () =>
    undone(async (transaction) => {
      await transaction.run(insertOf(empty))
      await transaction.run(sql`update parcels set ${parcels.assignments(full)} where id = ${empty.id}`)
      const packed = await readPacked(transaction, parcels.packed())
      assert.deepEqual(packed.map(parcels.unpack), [full])
    }))

  it('is read unchanged after a batch of JSON rows', () =>
    undone(async (transaction) => {
      const given = JSON.stringify(rows.map(parcels.jsonRow))
      await transaction.run(sql`insert into parcels (${parcels.names})
        select ${parcels.recordsetNames('given')} from json_to_recordset(${given}::json) as ${parcels.recordset('given')}`)
      assert.deepEqual(
        await transaction.many(sql`select ${parcels.columns()} from parcels order by id`),
        rows,
      )
    }))

  it('is read unchanged after a reusable query', () =>
    undone(async (transaction) => {
      const insert = reusableQuery<Parcel>`insert into parcels (${parcels.names}) values (${parcels.valueParameters})`
      for (const row of rows) await transaction.run(insert(row))
      const packed = await readPacked(transaction, parcels.packed())
      assert.deepEqual(packed.map(parcels.unpack), rows)
    }))
})

it('times in a packed column are those that the driver reads', async () => {
  const times = defineTable('times', { at: timestamptz() })
  const found = await database.many<{
    at: Date
    packed: unknown[]
  }>(sql`select at, ${times.packed()} as packed
    from (select '0099-12-31'::timestamptz + n * '397 days 17:31:29.123456'::interval
      + (n % 7) * '1 microsecond'::interval * power(10, n % 7) as at from generate_series(0, 7000) n) times`)
  for (const { at, packed } of found)
    assert.equal(times.unpack(packed).at.getTime(), at.getTime(), `${packed}`)
})

it('a row that another map packed is refused, also one with as many columns', async () => {
  const found = await readPacked(database, parcels.pick('id', 'feeMinor').packed('p'))
  for (const other of [parcels.pick('feeMinor', 'id'), parcels.pick('id', 'merchantId'), parcels])
    for (const packed of found)
      assert.throws(() => other.unpack(packed), /other columns than these of parcels/)
  assert.throws(() => parcels.unpack([]), /other columns/)
})

it('an integer that JSON has rounded and a time that is none are refused', async () => {
  const { packed } = await database.one<{ packed: unknown[] }>(
    sql`select ${parcels.pick('id').packed()} as packed from (select 9007199254740993 as id) p`,
  )
  assert.throws(() => parcels.pick('id').unpack(packed), /too large/)
  const at = parcels.pick('endedAt')
  const never = await database.one<{ packed: unknown[] }>(
    sql`select ${at.packed()} as packed from (select 'infinity'::timestamptz as ended_at) p`,
  )
  assert.throws(() => at.unpack(never.packed), /not a time/)
})

it('a row without one of the fields is not written', () => {
  assert.throws(() => parcels.pick('id', 'note').values({ id: 1 } as never), /without note/)
})

describe('a subset', () => {
  const some = parcels.pick('id', 'feeMinor')

  it('has the picked columns in their order, and belongs to the same table', () => {
    assert.equal(parcels.pick('feeMinor', 'id').names.text, 'fee, id')
    assert.equal(some.columns('a').text, 'a.id, a.fee as "feeMinor"')
    assert.match(some.packed('a').text, /^json_build_array\('[\w-]{6}', a\.id, a\.fee\)$/)
    assert.equal(some.name, 'parcels')
    assert.equal(some.isMerchantTable, true)
  })

  it('has all columns but the omitted ones', () => {
    assert.equal(parcels.pick('merchantId', 'id', 'note').omit('id').names.text, 'merchant_id, note')
  })

  it('can stand beside columns of another table in a recordset', () => {
    const beside = defineTable('t', { key: text(), storedAt: timestamptz().orNull() })
    const expected = 'given (id bigint, "feeMinor" bigint, key text, "storedAt" timestamptz)'
    assert.equal(some.recordset('given', beside).text, expected)
  })

  it('takes from a row its own fields only', () => {
    assert.deepEqual(some.jsonRow(full), { id: 2, feeMinor: 99_999_999_999_999 })
    const { text: written, values } = sql`set ${some.assignments(full)} where ${true}`
    assert.equal(written, 'set id = $1::bigint, fee = $2::bigint where $3')
    assert.deepEqual(values, [2, 99_999_999_999_999, true])
  })
})

describe('a reusable query', () => {
  it('sends a name once that stands in a list and alone, and encodes it', () => {
    const some = parcels.pick('id', 'items')
    const query = reusableQuery<Parcel>`${'items'} ${some.valueParameters} ${'id'}`
    const expected = '$1 $2::bigint, $1::jsonb $2'
    assert.deepEqual(query(empty), { text: expected, values: ['[]', 1] })
  })

  it('takes no fragment with values', () => {
    assert.throws(() => reusableQuery<Parcel>`${sql`${1}`}`, /only fragments without values/)
  })
})

describe('a definition', () => {
  it('with two names for one column is refused', () => {
    assert.throws(
      () => defineTable('t', { amount: bigint(), amountMinor: bigint() }),
      /t has the column amount twice/,
    )
  })

  it('with a name that is no code name, or without columns, is refused', () => {
    assert.throws(() => defineTable('t', { created_at: text() }), /t has a column with the name "created_at"/)
    assert.throws(() => defineTable('t', {}), /t has no columns/)
  })

  it('of a merchant table begins with the id of the merchant', () => {
    assert.throws(
      () => defineMerchantTable('t', { id: bigint(), merchantId: bigint() }),
      /the first column of t must be merchantId/,
    )
    // @ts-expect-error: the merchant's id is missing.
    assert.throws(() => defineMerchantTable('t', { id: bigint() }))
    assert.equal(defineTable('t', { merchantId: bigint() }).isMerchantTable, false)
  })
})

it('types refuse wrong names and rows', () => {
  const some = parcels.pick('id', 'note', 'createdAt')
  const row: RowOf<typeof some> = { id: 1, note: null, createdAt: new Date(0) }
  row.note = row.createdAt.toISOString()
  // @ts-expect-error: there is no such column.
  assert.throws(() => parcels.pick('id', 'notes'))
  // @ts-expect-error: a name of the database is no name in code.
  parcels.omit('merchant_id')
  // @ts-expect-error: the column was not picked.
  assert.equal(row.feeMinor, undefined)
  // @ts-expect-error: a field is missing.
  assert.throws(() => some.values({ id: 1, note: null }))
  // @ts-expect-error: the column is not nullable.
  some.values({ id: null, note: null, createdAt: new Date(0) })
  // @ts-expect-error: two values are swapped.
  some.values({ id: 'a', note: 1, createdAt: new Date(0) })
  // @ts-expect-error: the text is none of the column's values.
  parcels.pick('state').values({ state: 'lost' })
  // @ts-expect-error: the values have no `note`.
  reusableQuery<{ id: number; createdAt: Date }>`${some.valueParameters}`
  // @ts-expect-error: the values have a `note` of another type.
  reusableQuery<{ id: number; note: number; createdAt: Date }>`${some.valueParameters}`
  const key: string = parcels.pick('pageKey').jsonRow(full).pageKey
  assert.equal(key, `\\x${everyByte.toString('hex')}`)
})
