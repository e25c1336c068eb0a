import { createRequire } from 'node:module'
import { redact } from '../security/redaction.ts'
import { systemClock } from './clock.ts'
import { lazyPackage } from './lazy.ts'

const flushTimeoutMs = 500

const pino = lazyPackage<typeof import('pino')>('pino')
const require = createRequire(import.meta.url)

/** One line each. `fields` never hold what a caller sent, but what we made of it. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface LogWithFlush {
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

export function openLog({ level, format, stream, descriptor = 1 }: LogOptions): LogWithFlush {
  const output =
    stream ??
    (format === 'pretty' ? prettyOutput(descriptor) : pino().destination({ dest: descriptor, sync: false }))
  const log = pino().pino(
    {
      level,
      base: null,
      timestamp: pino().stdTimeFunctions.isoTime,
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
    await Promise.race([flushed.promise, systemClock.sleep(flushTimeoutMs)])
  }
  return { log, flush }
}

/** A log of trouble alone. Most commands have none, and do not wait for what would write it. */
export function warningAndErrorLog(options: Omit<LogOptions, 'level'>): Log {
  let opened: Log | undefined
  const log = () => {
    opened ??= openLog({ ...options, level: 'warn' }).log
    return opened
  }
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (fields, text) => log().warn(fields, text),
    error: (fields, text) => log().error(fields, text),
  }
}

/** Not one of those that a service loads when it is ready: most never need it. */
function prettyOutput(descriptor: 1 | 2) {
  const pretty: typeof import('pino-pretty') = require('pino-pretty')
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
