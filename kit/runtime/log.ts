import { createRequire } from 'node:module'
import { redact } from '../security/redaction.ts'
import { systemClock } from './clock.ts'
import { lazyPackage } from './lazy.ts'

const flushTimeoutMs = 500

/** Lines of so many milliseconds are written together: a write costs more than a line. */
const batchMs = 5
/** A batch is written earlier if it is this long. */
const longestBatch = 16_000

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

type Level = keyof Log
type LineWriter = (line: string, level: Level) => void

/** Lowest first. */
const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

/** Target of the lines: a stream given by the caller (tests read it), or the standard output. */
export interface LogOptions {
  level: Level | 'silent'
  /** File descriptor; the default is 1, the standard output. */
  descriptor?: 1 | 2
  format: 'json' | 'pretty'
  stream?: { write(line: string): void }
}

export function openLog({ level, format, stream, descriptor = 1 }: LogOptions): LogWithFlush {
  if (stream) return { log: logTo((line) => stream.write(line), level), flush: async () => undefined }
  if (format === 'pretty') {
    const pretty = prettyOutput(descriptor)
    return { log: logTo((line) => pretty.write(line), level), flush: async () => undefined }
  }
  const { write, flush } = batchedOutput(descriptor)
  return { log: logTo(write, level), flush }
}

/**
 * Logs warnings and errors only. Most commands have none, so the output is opened at the first one.
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

function logTo(write: LineWriter, lowest: Level | 'silent'): Log {
  const logAt = (level: Level): Log[Level] => {
    if (lowest === 'silent' || levels.indexOf(level) < levels.indexOf(lowest)) return () => undefined
    return (fields, text) => write(lineOf(level, fields, text), level)
  }
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
}

function lineOf(level: Level, fields: object, text: string): string {
  const head = { level, time: isoTime() }
  try {
    const described = 'err' in fields ? { ...fields, err: describeError(fields.err) } : fields
    return `${JSON.stringify({ ...head, ...described, msg: text })}\n`
  } catch {
    return `${JSON.stringify({ ...head, ...writableFields(fields), msg: text })}\n`
  }
}

/** A log never fails its caller: a field that cannot be written is replaced by its type. */
function writableFields(fields: object): Record<string, unknown> {
  const writable = ([name, value]: [string, unknown]) => {
    try {
      const written = name === 'err' ? describeError(value) : value
      JSON.stringify(written)
      return [name, written]
    } catch {
      return [name, `not written: ${typeof value}`]
    }
  }
  return Object.fromEntries(Object.entries(fields).map(writable))
}

let lastMs = 0
let lastIsoTime = ''

/** Formats each millisecond once. */
function isoTime(): string {
  const now = systemClock.now()
  if (now.getTime() !== lastMs) [lastMs, lastIsoTime] = [now.getTime(), now.toISOString()]
  return lastIsoTime
}

/**
 * Writes the lines of a few milliseconds together, warnings and errors at once. A process that exits loses none.
 * One that is killed or aborted loses the lines of the last milliseconds.
 */
function batchedOutput(descriptor: 1 | 2): { write: LineWriter; flush(): Promise<void> } {
  // With a minimum, `flush` waits for the write.
  const output = pino().destination({ dest: descriptor, sync: false, minLength: 1 })
  let lines = ''
  let cancelTimer: (() => void) | undefined
  const writeOut = () => {
    cancelTimer?.()
    cancelTimer = undefined
    if (lines === '') return
    const batch = lines
    lines = ''
    output.write(batch)
  }
  process.on('exit', () => {
    writeOut()
    output.flushSync()
  })
  return {
    write: (line, level) => {
      lines += line
      if (level === 'warn' || level === 'error' || lines.length >= longestBatch) return writeOut()
      cancelTimer ??= systemClock.startTimer(batchMs, writeOut)
    },
    // Time-limited: a flush would wait for ever for a reader that is gone.
    flush: async () => {
      writeOut()
      const flushed = Promise.withResolvers<void>()
      output.flush(() => flushed.resolve())
      await Promise.race([flushed.promise, systemClock.sleep(flushTimeoutMs)])
    },
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
