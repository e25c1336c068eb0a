/** Path → text. */
export type Tree = Record<string, string>

/**
 * Samples of each rule: places that it must report, with a tree or the text of one file, and a tree that it
 * accepts.
 */
export interface Samples {
  fails: [places: string, sample: Tree | string][]
  passes: Tree
}

/** Samples of the rules about SQL, for scripts/tidy.test.ts. */
export const sqlSamples = {
  sql: {
    fails: [
      ['kit/a.ts:1', `import sql from 'sql-template-tag'`],
      ['server/refunds/store.ts:1', `import type { Pool } from 'pg'`],
      ['server/refunds/a.ts:1', `import { sql } from '../../kit/runtime/sql.ts'\nsql\`now()\``],
      ['server/services.ts:1', `export * from '../kit/runtime/sql.ts'`],
      ['server/refunds/a.ts:2', `query(\n  \`select *\n from \${table} where id = 1\`)`],
      ['server/refunds/a.ts:1', `query('INSERT INTO refunds values (1)')`],
      ['server/refunds/a.ts:1', `query('update refunds r set state = 1')`],
      ['server/refunds/a.ts:1', 'query(`-- old\n delete from refunds`)'],
      ['server/refunds/a.ts:1', 'query(`create unlogged table cards (id text)`)'],
      ['server/refunds/a.ts:1', `query('alter table refunds add x text')`],
      ['server/refunds/a.ts:1', `query('drop table refunds')`],
      ['server/refunds/a.ts:1', `query('with moved as (update x) select 1')`],
    ],
    passes: {
      'kit/runtime/sql.ts': `export { default as sql } from 'sql-template-tag'`,
      'server/refunds/store.ts': `import { sql } from '../../kit/runtime/sql.ts'\nsql\`select * from refunds\``,
      'server/refunds/a.ts': `import type { Sql } from '../../kit/runtime/sql.ts'\nimport { PgBoss } from 'pg-boss'`,
      'server/refunds/b.ts': `say('Update your settings'); say('Create a table of prices'); say('Selected from here')`,
      'server/refunds/a.test.ts': `query('select * from refunds')`,
      'server/database/a.ts': `import pg from 'pg'`,
      'bench/a.ts': `import pg from 'pg'\nquery('select * from refunds')`,
    },
  },

  tables: {
    fails: [
      ['server/payments/store.ts:1', 'const a = sql`select id from refunds`'],
      [
        'server/payments/store.ts:2',
        'const a = sql`update payments set a = 1\n  from x join refunds r on true`',
      ],
      // Tables are found in every notation.
      ['server/payments/a.ts:1', 'sql`select 1 from payments p, refunds r`'],
      ['server/payments/a.ts:1', 'sql`SELECT 1 FROM public.REFUNDS`'],
      ['server/payments/a.ts:1', 'sql`select 1 from "refunds"`'],
      ['server/payments/a.ts:1', 'sql`select 1 from (refunds r join payments p on true)`'],
      ['server/payments/a.ts:1', 'sql`delete from payments using refunds`'],
      ['server/payments/a.ts:1', 'sql`truncate table refunds`'],
      ['server/payments/a.sql.ts:1', "const a = raw('refunds')"],
      ['server/payments/store.ts:1', 'const a = query`join refunds r on true`'],
      ['server/events/assign.sql.ts:1', 'const a = sql`insert into webhooks (id) values (1)`'],
      // A feature may read tables of lower features. Only the owner writes a table.
      ['server/refunds/store.ts:1', 'sql`update payments p set a = 1 where id = 1`'],
      ['server/refunds/store.ts:1', 'sql`insert into events (id) values (1)`'],
      ['server/refunds/store.ts:1', 'sql`with a as (delete from only "payments") select 1`'],
      ['server/database/migrations/0001-a.sql:2', '-- oldest program: 1\ncreate table loyalty (id bigint);'],
      ['server/database/migrations/0001-a.sql:1', '  create table if not exists loyalty (id bigint);'],
      ['server/database/migrations/0001-a.sql:1', 'alter table refunds rename to loyalty;'],
      ['server/database/migrations/0001-a.sql:1', 'create table public."loyalty" (id bigint);'],
      ['server/database/migrations/0001-a.sql:1', 'create table refunds (id bigint);'],
      ['server/database/migrations/0001-a.sql:2', '-- on Citus: split\ncreate table refunds (id bigint);'],
      // The sandbox and the service share no tables.
      ['sandbox/bank/store.ts:1', 'sql`insert into modifications (id) values (1)`'],
      ['server/reconciliation/store.ts:1', 'sql`select id from sandbox.charges`'],
    ],
    passes: {
      'server/refunds/store.ts':
        'const a = sql`select id from refunds join payments p on true for update of p`; sql`insert into refunds (id) values (1) on conflict (id) do update set a = 1`',
      'server/payments/store.test.ts': 'const a = sql`select id from refunds`',
      'server/payments/store.ts':
        "sql`-- not from refunds\nselect p.refunds, 'from refunds', 1 as refunds from payments p`; sql`with refunds as (select 1) select 1 from refunds`",
      'server/payments/a.ts': `say('We take nothing from refunds')`,
      'sandbox/bank/store.ts':
        'sql`select d.events from sandbox.charge_operations d join sandbox.charges c on true`',
      'server/database/migrations/0001-a.sql':
        '-- oldest program: 1\n-- create table loyalty\n-- on Citus: distributed\ncreate unlogged table sealed_cards (id bigint);',
    },
  },

  portable: {
    fails: [
      ['server/database/a.ts:1', `query('select pg_try_advisory_lock(1)')`],
      ['server/database/a.ts:1', `query('listen payments')`],
      ['a.sql:3', 'begin;\n-- tell\nnotify payments;'],
      ['server/jobs/store.ts:2', `sql\`\n  perform pg_notify(\${a}, \${b})\``],
      ['a.sql:2', 'create table a (\n  id bigserial primary key)'],
      ['a.sql:1 a.sql:2', { 'a.sql': 'create sequence ids;\ndrop sequence ids' }],
      ['a.sql:1', `insert into a values (nextval('ids'))`],
      ['a.sql:1', 'create table a (id bigint generated by default as identity)'],
      ['a.sql:1', 'create or replace trigger a after insert on b'],
      ['a.sql:1', 'alter table a add foreign key (b) references c DEFERRABLE'],
      ['a.sql:1', 'create extension pg_trgm'],
      ['a.sql:1', 'create table a (made_at timestamptz default now())'],
      ['server/a/store.ts:1', 'sql`update a set b = gen_random_uuid()`'],
      ['server/a/store.ts:1', 'sql`select clock_timestamp() as now`'],
      ['server/database/store.ts:1', 'sql`insert into a select clock_timestamp() as now`'],
      // Citus refuses a column that is added with its constraint.
      ['server/database/migrations/0002-a.sql:2', 'alter table a\n  add column b int not null check (b > 0)'],
      [
        'server/database/migrations/0002-a.sql:1',
        'alter table a add b numeric(9, 2) default (f(1, 2)) unique',
      ],
      ['server/database/migrations/0002-a.sql:1', 'alter table a add column if not exists b int primary key'],
      [
        'server/database/migrations/0002-a.sql:1',
        'alter table a add column b int, add column c int references d',
      ],
      [
        'server/database/migrations/0002-a.sql:1',
        'alter table a add column b int constraint b_positive check (b > 0)',
      ],
      ['server/database/migrations/0002-a.sql:2', 'alter table a add column b int,\n  add check (b > 0)'],
      ['server/database/migrations/0002-a.sql:1', 'alter table a add primary key (b)'],
      ['server/database/migrations/0002-a.sql:1', 'alter table a add foreign key (b) references c (id)'],
    ],
    passes: {
      'server/database/embedded/a.ts': `query('select pg_advisory_lock(1)')`,
      'server/database/store.ts': 'sql`select clock_timestamp() as now`',
      'a.sql': `-- no trigger, no create extension\ncreate table a (sequence int, serial_number text, b text default 'deferrable')`,
      'kit/a.ts': `say('listen to me'); say('a trigger, deferrable'); server.listen(0); say('serial')`,
      'bench/a.sql': 'create extension pg_stat_statements',
      'server/database/migrations/0001-a.sql':
        'create table a (id bigint primary key, b int check (b > 0), unique (b), check (b < 9))',
      'server/database/migrations/0002-a.sql': `alter table a add column b int default 0, add column checked numeric(9, 2),
  add constraint a_b check (b > 0), add constraint a_key primary key (b);
comment on column a.b is 'add column unique'; -- add check
create unique index a_c on a (c)`,
    },
  },

  appendOnly: {
    fails: [
      ['server/ledger/store.ts:1', 'sql`update ledger_transfers set amount = 1`'],
      ['server/events/store.ts:2', 'sql`with moved as (\n delete from events where id = 1) select 1`'],
      ['server/events/store.ts:1', 'sql`UPDATE ONLY "events" SET number = 1`'],
      ['server/events/store.ts:1', 'sql`update public.events e set number = 1`'],
      ['server/events/store.ts:1', 'sql`update events set position = placed.position from placed`'],
      ['server/events/store.ts:1', 'sql`merge into events using moved on true when matched then delete`'],
      [
        'server/events/store.ts:1',
        'sql`insert into events (id) select 1 on conflict (id) do update set id = 2`',
      ],
      ['a.sql:2', 'begin;\ntruncate table customers, events;'],
      ['a.sql:1', 'drop table if exists ledger_transfers;'],
    ],
    passes: {
      'server/ledger/store.ts':
        'sql`insert into ledger_transfers (id) select id from moved on conflict do nothing`',
      'server/events/store.ts':
        'sql`update payments set event_count = event_count + 1`; sql`select * from events`; sql`update event_positions set position = 1`',
      'server/webhooks/records/webhook.sql.ts':
        'sql`update events_seen set id = 1`; sql`delete from sent_events`',
      'kit/a.ts': `say('Update events as they come')`,
      'server/ledger/a.test.ts': 'sql`update ledger_transfers set amount = 1`',
      'a.sql': '-- never update events\ncreate table events (id bigint);\ntruncate bins;',
    },
  },
} satisfies Record<string, Samples>
