import type { Sql } from '../kit/runtime/sql.ts'
import { sql } from '../kit/runtime/sql.ts'
import { gateSchema } from './nestpay/store.ts'
import { authenticationTables } from './three-ds/store.ts'

/** The bank's schema, outside our migrations. Each query succeeds if its object exists already. */
const schema = [
  sql`create schema if not exists sandbox`,
  sql`create table if not exists sandbox.terminals (
    terminal text primary key,
    salt bytea not null,
    password_hash bytea not null,
    enrolled_at timestamptz not null
  )`,
  sql`create table if not exists sandbox.charges (
    terminal text not null,
    reference text not null,
    kind text not null,
    amount bigint not null,
    currency text not null,
    installments integer not null,
    card text not null,
    fault text,
    code text not null,
    auth_code text,
    host_reference text not null,
    asked_at timestamptz not null,
    done_at timestamptz not null,
    primary key (terminal, reference)
  )`,
  sql`create table if not exists sandbox.charge_operations (
    terminal text not null,
    reference text not null,
    number integer not null,
    kind text not null,
    amount bigint not null,
    part text,
    at timestamptz not null,
    primary key (terminal, reference, number)
  )`,
  sql`create index if not exists charge_operations_in_time on sandbox.charge_operations (terminal, at, reference, number)`,
  sql`create table if not exists sandbox.fault_occurrences (
    terminal text not null,
    reference text not null,
    kind text not null,
    asking text not null,
    at timestamptz not null,
    primary key (terminal, reference, kind, asking)
  )`,
  ...authenticationTables,
  ...gateSchema,
]

/** PostgreSQL error codes for creating an object that another connection creates at the same time. */
const madeByAnother = ['23505', '42710', '42P06', '42P07', 'XX000']

const maxAttempts = 20

/** Creates missing tables. Any number of instances can do so at the same time. */
export async function createSandboxTables(database: Sql): Promise<void> {
  for (const query of schema) await makeOnce(database, query)
}

async function makeOnce(database: Sql, query: (typeof schema)[number]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await database.run(query)
      return
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (attempt === maxAttempts || !madeByAnother.includes(code)) throw error
    }
  }
}
