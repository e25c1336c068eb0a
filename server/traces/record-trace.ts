import type { SqlFragment } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable, RowLocked } from '../../kit/runtime/sql.ts'
import type { Services } from '../services.ts'
import { insertTrace, tracePart } from './store.ts'
import type { Trace } from './trace.ts'

/** Of one attempt and one kind of message. */
const maxOfKind = 20
const longestBody = 32 * 1024

/** The ends of addresses that lead to a payment's page, or may speak for a bank. */
const tokensInUrls = /(\/(?:3ds\/\w+|return)\/)[\w-]+\.[\w-]+/g

type Needs = Pick<Services, 'sql' | 'ids' | 'clock' | 'log'>

/**
 * Keeps a trace of a message. Guarantee: whoever reads it can come to no address of ours by it; and of what somebody sends
 * again and again only the first ones are kept. What cannot be kept holds up nobody: a trace is for people to read, and
 * decides nothing.
 */
export async function recordTrace(services: Needs, trace: Trace): Promise<void> {
  const part = await traceToKeep(services, trace)
  try {
    if (part) await insertTrace(services.sql, part)
  } catch (err) {
    couldNotKeep(services, trace, err)
  }
}

/**
 * Keeps a trace in the query of the change that it goes with, which `change` makes; false says that it was not made.
 * Guarantee: what keeps the trace from being kept keeps the change from nothing.
 */
export async function recordTraceWithChange(
  services: Needs,
  trace: Trace,
  change: (traced?: SqlFragment) => Promise<boolean>,
): Promise<boolean> {
  const part = await traceToKeep(services, trace)
  if (!part) return change()
  try {
    return await change(part)
  } catch (error) {
    // A query whose connection broke may have been done; one that failed was not, not even in part.
    if (error instanceof DatabaseUnavailable && !(error instanceof RowLocked)) throw error
    couldNotKeep(services, trace, error)
    return change()
  }
}

async function traceToKeep(services: Needs, trace: Trace): Promise<SqlFragment | undefined> {
  const { ids, clock } = services
  try {
    const body = JSON.stringify(cleaned(trace.body)).replaceAll(tokensInUrls, '$1…')
    const storedBody = body.length > longestBody ? JSON.stringify({ tooLong: body.length }) : body
    return tracePart({ ...trace, body: storedBody, id: await ids.next(), at: clock.now() }, maxOfKind)
  } catch (err) {
    couldNotKeep(services, trace, err)
    return undefined
  }
}

function couldNotKeep({ log }: Needs, { attemptId: attempt, kind }: Trace, err: unknown): void {
  log.warn({ err, attempt, kind }, 'recording a trace failed; continuing without it')
}

/** The same without what the database refuses to keep, so that nobody hides a message by writing that into it. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, each]) => [cleaned(name), cleaned(each)]))
}
