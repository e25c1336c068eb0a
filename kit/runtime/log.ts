import { createRequire } from 'node:module'
import { redact } from '../security/redaction.ts'
import { systemClock } from './clock.ts'
import { lazyPackage } from './lazy.ts'

const flushTimeoutMs = 500

const pino = lazyPackage<typeof import('pino')>('pino')
const require = createRequire(import.meta.url)

/** Log with one line per entry. `fields` hold values that we computed, never raw input of a caller. */
export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface LogWithFlush {
  log: Log
  /** Writes out buffered lines. Call it before the process ends. */
  flush(): Promise<void>
}

/** Target of the lines: a stream given by the caller (tests read it), or the standard output. */
export interface LogOptions {
  level: string
  /** File descriptor; the default is 1, the standard output. */
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
  // Time-limited: a flush would wait for ever for a reader that is gone.
  const flush = async () => {
    if (!('flush' in output) || typeof output.flush !== 'function') return
    const flushed = Promise.withResolvers<void>()
    output.flush(() => flushed.resolve())
    await Promise.race([flushed.promise, systemClock.sleep(flushTimeoutMs)])
  }
  return { log, flush }
}

/**
 * Logs warnings and errors only. Most commands have none, so the logging library is loaded at the first one.
 */
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

/** Not a lazy package, which a service preloads: most services never need it. */
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
