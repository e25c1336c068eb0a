import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { raw, sql } from '../../../kit/runtime/sql.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { attempts } from './attempt.ts'
import { modifications } from './modification.ts'
import { verifications } from './verification.ts'

/** A table of work at a bank. In the fragments its row is `w`. */
export interface WorkTable {
  readonly name: string
  /** Column for the time of its begin. */
  readonly began: 'asked_at' | 'began_at' | 'approved_at'
  readonly isUnsettled: SqlFragment
  readonly attemptId: SqlFragment
}

export const attemptTable = {
  map: attempts,
  name: attempts.name,
  began: 'asked_at',
  isUnsettled: sql`(w.needs_review_at is not null or (w.due_at is not null and w.state in ('authorizing', 'reversing')))`,
  attemptId: sql`w.id`,
} as const

export const modificationTable = {
  map: modifications,
  name: modifications.name,
  began: 'began_at',
  isUnsettled: sql`(w.needs_review_at is not null or w.due_at is not null)`,
  attemptId: sql`w.attempt_id`,
} as const

export const verificationTable = {
  map: verifications,
  name: verifications.name,
  began: 'approved_at',
  isUnsettled: sql`w.state in ('unverified', 'differs')`,
  attemptId: sql`w.attempt_id`,
} as const

/** Work at a bank with its POS. */
export type DueWorkId = OwnedId & { posId: number }

/** Due times of the work of a table until a time. */
export function dueWorkTimes(table: WorkTable, until: Date, only = sql`true`): SqlFragment {
  return sql`select merchant_id, due_at from ${raw(table.name)} where due_at <= ${until} and ${only}`
}

/** Due work of a table, longest due first, limited per POS. */
export function dueWorkIds(
  database: Sql,
  table: WorkTable,
  now: Date,
  ofEachPos: number,
  only = sql`true`,
): Promise<DueWorkId[]> {
  return database.many(sql`select merchant_id as "merchantId", id, pos_id as "posId" from (
      select merchant_id, id, pos_id, due_at, row_number() over (partition by pos_id order by due_at, id) as place
      from ${raw(table.name)} where due_at <= ${now} and ${only}) due
    where place <= ${ofEachPos} order by due_at, id`)
}

/**
 * Postpones work. If it began before `since`, it also needs manual review. Returns true if the review is new.
 */
export async function postponeWork(
  database: Sql,
  table: WorkTable,
  { merchantId, id }: OwnedId,
  { dueAt, now, since }: { dueAt: Date; now: Date; since: Date },
): Promise<boolean> {
  // A lease that lasts longer than this is kept.
  const postponed = await database.maybe<{ isReviewNew: boolean }>(sql`update ${raw(table.name)}
    set due_at = greatest(due_at, ${dueAt}), needs_review_at =
      coalesce(needs_review_at, case when ${raw(table.began)} < ${since} then ${now}::timestamptz end)
    where merchant_id = ${merchantId} and id = ${id} and due_at is not null
    returning needs_review_at is not distinct from ${now}::timestamptz as "isReviewNew"`)
  return postponed?.isReviewNew ?? false
}

/** Part of a transition: locks a row if it is unchanged. */
export function lockWorkPart(
  table: WorkTable,
  { merchantId, id, version }: OwnedId & { version: number },
): SqlFragment {
  return sql`select merchant_id from ${raw(table.name)}
    where merchant_id = ${merchantId} and id = ${id} and version = ${version} for update`
}

/** Part of a transition: changes a locked row. */
export function updateWorkPart(
  table: WorkTable,
  { merchantId, id }: OwnedId,
  assignments: SqlFragment,
): SqlFragment {
  return sql`update ${raw(table.name)} set ${assignments}, version = version + 1
    where merchant_id = ${merchantId} and id = ${id} and exists (select from transition)`
}

/**
 * Finds work by its id only, as operators name it. Merchants are few, and each is looked up by the primary
 * key.
 */
export function locateWork(
  database: Sql,
  table: WorkTable,
  id: number,
): Promise<(OwnedId & { paymentId: number }) | undefined> {
  return database.maybe(sql`select w.merchant_id as "merchantId", w.id, w.payment_id as "paymentId" from merchants m
    join ${raw(table.name)} w on w.merchant_id = m.id and w.id = ${id}`)
}

/** Makes unsettled work due whose due time is beyond the longest wait. Returns its number. */
export function resetDueTimesAfter(
  database: Sql,
  table: WorkTable,
  now: Date,
  latest: Date,
): Promise<number> {
  return database.run(sql`update ${raw(table.name)} w set due_at = ${now}
    where w.due_at > ${latest} and ${table.isUnsettled}`)
}
