import type { Services } from '../services.ts'
import { insertTrace } from './store.ts'
import type { Trace } from './trace.ts'

/** Of one attempt and one kind of message. */
const mostOfKind = 20
const longestBody = 32 * 1024

/** The ends of addresses that lead to a payment's page, or may speak for a bank. */
const passages = /(\/(?:3ds\/\w+|return)\/)[\w-]+\.[\w-]+/g

/**
 * Keeps a trace of a message. Guarantee: whoever reads it can come to no address of ours by it; and of what somebody sends
 * again and again only the first ones are kept. What cannot be kept holds up nobody: a trace is for people to read, and
 * decides nothing.
 */
export async function noteTrace(
  { sql, ids, clock, log }: Pick<Services, 'sql' | 'ids' | 'clock' | 'log'>,
  trace: Trace,
): Promise<void> {
  try {
    const body = JSON.stringify(cleaned(trace.body)).replaceAll(passages, '$1…')
    const kept = body.length > longestBody ? JSON.stringify({ tooLong: body.length }) : body
    await insertTrace(sql, { ...trace, body: kept, id: await ids.next(), at: clock.now() }, mostOfKind)
  } catch (err) {
    log.warn({ err, attempt: trace.attemptId, kind: trace.kind }, 'a trace could not be kept')
  }
}

/** The same without what the database refuses to keep, so that nobody hides a message by writing that into it. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, each]) => [cleaned(name), cleaned(each)]))
}
