import type { Insert } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable, RowLocked } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import type { NewTrace } from './store.ts'
import { insertTrace, tracePart } from './store.ts'
import type { Trace } from './trace.ts'

/** Limit for one attempt and one kind of message. */
const maxOfKind = 20
const longestBody = 32 * 1024

/** Tokens at the end of addresses that open a payment's page or act for a bank. */
const tokensInUrls = /(\/(?:3ds\/\w+|return)\/)[\w-]+\.[\w-]+/g

type Needs = Pick<Services, 'sql' | 'ids' | 'clock' | 'log'>

/**
 * Records a trace of a message. Guarantees: a trace contains no usable address of ours; of repeated messages
 * only the first ones are recorded. A failure is logged and not thrown, because a trace is for operators to
 * read and decides nothing.
 */
export async function recordTrace(services: Needs, trace: Trace): Promise<void> {
  const kept = await traceToKeep(services, trace)
  try {
    if (kept) await insertTrace(services.sql, kept, maxOfKind)
  } catch (err) {
    couldNotKeep(services, trace, err)
  }
}

/**
 * Records a trace with the write of `change`; returns its result. Guarantee: a trace that cannot be
 * recorded never prevents the change.
 */
export async function recordTraceWithChange<Result>(
  services: Needs,
  trace: Trace,
  change: (traced?: Insert) => Promise<Result>,
): Promise<Result> {
  const kept = await traceToKeep(services, trace)
  if (!kept) return change()
  try {
    return await change(tracePart(kept, maxOfKind))
  } catch (error) {
    // After a lost connection the query may have committed; any other failed query wrote nothing.
    if (error instanceof DatabaseUnavailable && !(error instanceof RowLocked)) throw error
    couldNotKeep(services, trace, error)
    return change()
  }
}

async function traceToKeep(services: Needs, trace: Trace): Promise<NewTrace | undefined> {
  const { ids, clock } = services
  try {
    const body = JSON.stringify(cleaned(trace.body)).replaceAll(tokensInUrls, '$1…')
    const storedBody = body.length > longestBody ? JSON.stringify({ tooLong: body.length }) : body
    return { ...trace, body: storedBody, id: await ids.next(), at: clock.now() }
  } catch (err) {
    couldNotKeep(services, trace, err)
    return undefined
  }
}

function couldNotKeep({ log }: Needs, { attemptId: attempt, kind }: Trace, err: unknown): void {
  log.warn({ err, attempt, kind }, 'recording a trace failed; continuing without it')
}

/** Replaces characters that the database refuses, so that they cannot hide a message. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, each]) => [cleaned(name), cleaned(each)]))
}
