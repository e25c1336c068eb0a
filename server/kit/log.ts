import { pino } from 'pino'
import { systemClock } from './clock.ts'
import { redact } from './redaction.ts'

const flushPatienceMs = 500

/** One line each. `fields` never hold what a caller sent, but what we made of it. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface LogOutput {
  log: Log
  /** Writes out what is still waiting. To be called before the process ends. */
  flush(): Promise<void>
}

/** Where the lines go: a stream of the caller's (tests read it), or the standard output. */
export interface LogOptions {
  level: string
  /** The standard output unless told otherwise. */
  descriptor?: 1 | 2
  format: 'json' | 'pretty'
  stream?: { write(line: string): void }
}

export async function openLog({ level, format, stream, descriptor = 1 }: LogOptions): Promise<LogOutput> {
  const output =
    stream ??
    (format === 'pretty'
      ? await prettyOutput(descriptor)
      : pino.destination({ dest: descriptor, sync: false }))
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    output,
  )
  // The flush that waits would wait for ever for a reader that has gone.
  const flush = async () => {
    if (!('flush' in output) || typeof output.flush !== 'function') return
    const flushed = Promise.withResolvers<void>()
    output.flush(() => flushed.resolve())
    await Promise.race([flushed.promise, systemClock.sleep(flushPatienceMs)])
  }
  return { log, flush }
}

async function prettyOutput(descriptor: 1 | 2) {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    destination: descriptor,
    sync: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
  })
}

/** Libraries and databases quote values in their errors, and a value may be a secret. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: redact(String(error)) }
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { type: error.name, message: redact(error.message), stack: redact(error.stack ?? ''), ...cause }
}
