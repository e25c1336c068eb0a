import type { Samples, Tree } from './sql-samples.ts'

const sweep = 'server/cards/store.ts'

/** Code with a query, in which `<merchantId>` stands for a hole. */
const withHoles = (query: string): string => `sql\`${query.replace(/<([^<>]+)>/g, '$${$1}')}\``

/** One query in a file of its own. */
const refused = (query: string): [places: string, sample: string] => ['server/a/store.ts:1', withHoles(query)]

/** Several tables without a value in one query. */
const refusedTimes = (times: number, query: string): [places: string, sample: Tree] => [
  Array(times).fill('server/a/store.ts:1').join(' '),
  { 'server/a/store.ts': withHoles(query) },
]

const accepted = (queries: readonly string[]): string => queries.map(withHoles).join('\n')

/** Samples of the rule on queries of tables of merchants. */
export const merchantQuerySamples = {
  fails: [
    refused('select id from payments where due_at <= 1'),
    refused('select id from payments where merchant_id = 1'),
    refused('select id from payments where merchant_id = <id>'),
    refused('select id from payments where merchant_id = any(<merchantIds>)'),
    refused('select id from payments where id = 1 or merchant_id = <merchantId>'),
    refused('select merchant_id = <merchantId> from payments'),
    refused('update refunds set due_at = null'),
    refused('update refunds set merchant_id = <merchantId>'),
    refused('update only public."refunds" set id = 1'),
    refused('delete from traces where (merchant_id, id) in (select 1, 2)'),
    refused('insert into events (id) select id from payments'),
    // A comparison with the column of another row is no value.
    refused('select c.id from merchants m join customers c on c.merchant_id = m.id'),
    refused('update refunds set id = 1 where merchant_id = any(array(select id from merchants))'),
    refused('update refunds r set id = 1 from transition where r.merchant_id = transition.merchant_id'),
    refused(
      'delete from sealed_cards using transition where sealed_cards.merchant_id = transition.merchant_id',
    ),
    refused('select 1 from transition t, refunds r where r.merchant_id = t.merchant_id'),
    refused('delete from a using refunds r where r.merchant_id = a.merchant_id'),
    // Each table needs a value of its own, at its own level.
    refused(
      'select 1 from payments p join refunds r on r.merchant_id = p.merchant_id where p.merchant_id = <merchantId>',
    ),
    refusedTimes(
      2,
      'select 1 from payments p join refunds r on r.id = p.id where merchant_id = <merchantId>',
    ),
    refusedTimes(2, 'select 1 from payments as p, only refunds as r where p.id = r.id'),
    refused('select 1 from given join payments on true where merchant_id = <merchantId>'),
    refused('select 1 from payments p where p.merchant_id = <merchantId> union all select 1 from refunds'),
    refused(
      'select (select id from refunds where merchant_id = p.merchant_id) from payments p where p.merchant_id = <merchantId>',
    ),
    refused('select 1 from payments p where exists (select where p.merchant_id = <merchantId>)'),
    refused(
      'select 1 from payments p left join lateral (select * from refunds r where r.merchant_id = p.merchant_id) r on true where p.merchant_id = <merchantId>',
    ),
    refused('with a as (select id from refunds) select 1 from payments where merchant_id = <merchantId>'),
    refused('with recursive a as ((select id from refunds) union all select 1 from a) select 1'),
    refused('select 1 from (payments p join b on (p.id = b.id)) where b.merchant_id = <merchantId>'),
    ['server/a/store.ts:2', 'sql`select (select 1 where exists (\n  select from refunds))`'],
    // Fragments are checked alone.
    refused('(select id from refunds where merchant_id = p.merchant_id) as refund'),
    refused('from refunds where merchant_id = t.merchant_id'),
    refused('lateral (select * from refunds where merchant_id = <of>.merchant_id limit 1) as r on true'),
    refusedTimes(2, 'refunds r left join modifications d on d.merchant_id = r.merchant_id and d.id = r.id'),
    refused('refunds r left join modifications d on d.merchant_id = <merchantId> and d.id = r.id'),
    refused('w.merchant_id'),
    refused('<rows.alias>.merchant_id'),
    refused('m.id'),
    // A table from a map counts as a table of merchants.
    refused('select id from <raw(table.name)> where id = 1'),
    refused(
      'update <raw(a.table.name)> w set id = 1 from transition where w.merchant_id = transition.merchant_id',
    ),
    refused('select 1 from merchants m join <raw(table)> w on w.merchant_id = m.id'),
    // The list is complete, and its queries lock nothing.
    [`${sweep}:1`, 'const deleteCardsBefore = 1'],
    [
      `${sweep}:2`,
      'function deleteCardsBefore() {\n  sql`select id from payments for update skip locked`\n}',
    ],
    [`${sweep}:2`, 'function deleteCardsBefore() {\n  sql`select id from payments for key share`\n}'],
    [
      `${sweep}:4`,
      'function deleteCardsBefore() {\n  return sql`select id from payments`\n}\nconst other = sql`select id from payments`',
    ],
  ],
  passes: {
    'server/a/store.ts': accepted([
      'select id from payments where merchant_id = <merchantId>',
      "select id from payments where merchant_id = <'merchantId'>::bigint",
      "select id from payments where (merchant_id = <parameter('merchantId')> and id = 1)",
      'select id from payments where merchant_id = <range.merchantId>',
      'select id from payments where merchant_id = <merchant.id> for update skip locked',
      'select id from payments where merchant_id = <merchantId> for no key update of payments',
      'select id from payments where id = <id> and merchant_id = <ofMerchant>',
      'SELECT id FROM public."payments" WHERE merchant_id = <merchantId>',
    ]),
    'server/b/store.ts': accepted([
      'insert into events (id) values (1) on conflict (id) do update set id = 2 where events.id > 1',
      'insert into events (merchant_id) select <merchantId> from transition',
      'insert into events (id) select id from payments where merchant_id = <merchantId>',
      'select id from merchants where id = 1',
      'select id from merchant_keys where hash = 1',
      'with payments as (select 1) select 1 from payments',
      'with refunds as not materialized (select 1) select 1 from refunds r',
      'select 1, refunds from given where events is distinct from payments and extract(epoch from refunds) > 1',
      "select ' from refunds ' -- from refunds",
    ]),
    'server/c/store.ts': accepted([
      'select 1 from payments p join refunds r on r.merchant_id = <merchantId> and r.id = p.id where p.merchant_id = <merchantId>',
      'select 1 from payments p, refunds r where p.merchant_id = <merchantId> and r.merchant_id = <merchantId> for update of p',
      'select 1 from payments where merchant_id = <merchantId> union select 1 from refunds where merchant_id = <merchantId>',
      'with a as (select 1 from payments where merchant_id = <merchantId>) delete from refunds r using a where r.merchant_id = <merchantId>',
      'delete from sealed_cards using transition where sealed_cards.merchant_id = <merchantId>',
      'update refunds r set id = f(1, r.id) from transition where r.merchant_id = <merchantId>',
      'select * from (select from refunds where merchant_id = <merchantId> limit 1) as r join lateral (values (1, 2)) as v on true',
      'select 1 from payments, lateral (values (1)) as v (a) where merchant_id = <merchantId>',
      'select 1 from payments whole left join lateral (select 1) as r on true where merchant_id = <merchantId>',
    ]),
    'server/d/store.ts': accepted([
      '(select id from refunds where merchant_id = <merchantId>) as refund',
      'refunds r join modifications d on d.merchant_id = <merchantId> where r.merchant_id = <merchantId>',
      'select id from <refundRows(merchantId)> where r.id = 1',
      'select id from <raw(table.name)> where merchant_id = <id.merchantId>',
      'update <raw(table.name)> w set <assignments> from transition where w.merchant_id = <merchantId>',
      'insert into <raw(table.name)> (id) values (1)',
      'w.id',
    ]),
    [sweep]: 'function deleteCardsBefore() {\n  return sql`select id from payments`\n}',
    'server/a/store.test.ts': 'sql`select id from payments`',
    'kit/store.ts': 'sql`select id from payments`',
  },
} satisfies Samples
