import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Clock } from './kit/clock.ts'
import { systemClock } from './kit/clock.ts'
import type { Http } from './kit/http.ts'
import { endingHttp, NoAnswer, networkHttp } from './kit/http.ts'
import { listen, PortTaken } from './kit/listen.ts'
import type { Log } from './kit/log.ts'
import { systemRandom } from './kit/random.ts'
import { prepareBook, sandboxApp, tendAuthentications } from './sandbox/index.ts'
import { openServices } from './services.ts'

/** How long a sandbox goes on whose service is gone. */
const aloneMs = 10 * 60_000
const closePatienceMs = 5_000
const endPatienceMs = 8_000
/** How often a port is tried that somebody has: it may be a sandbox that is just about to end. */
const portTries = 3
const portPauseMs = 300
/** How often challenges are ended whose time is over, and late results sent. */
const tendingPauseMs = 1_000
const shortestPaceMs = 1_000
const longestPaceMs = 60_000

/** What a sandbox beside a service leaves at home, so that the next service knows it again. */
interface Note {
  pid: number
  port: number
  /** What `/livez` at that port tells, if it is still that process. */
  nonce: string
}

/** What it tells the service that started it. */
type Word = { ready: true } | { failed: string; isPortTaken: boolean }

/** Serves the sandbox bank until told to end. Beside a service it ends some time after that service, too. */
export async function runSandbox({ config, log }: { config: Config; log: Log }): Promise<void> {
  const told = signalled()
  const left = serviceLeft()
  try {
    // One that a service starts is started by it again, should an older one still be about to end.
    if (process.send === undefined) await refuseSecond(config)
    const services = await openServices(config, log, 'visitor')
    try {
      const ended = Promise.race([told, services.databaseEnded, staysAlone(left, systemClock)])
      await serveUntil(ended, config, services)
    } finally {
      await services.close()
    }
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error)
    tell({ failed, isPortTaken: error instanceof PortTaken })
    throw error
  }
}

/** Said before a database is opened, or even made. What else may have the port is found out by listening. */
async function refuseSecond({ sandboxPort }: Config): Promise<void> {
  if ((await nonceAt(sandboxPort, networkHttp(systemClock))) === undefined) return
  throw new Error(
    `A sandbox already answers on port ${sandboxPort}, perhaps that of vezne start. SANDBOX_PORT sets another one.`,
  )
}

async function serveUntil(
  ended: Promise<string>,
  config: Config,
  {
    sql,
    clock,
    random,
    log,
  }: Pick<Awaited<ReturnType<typeof openServices>>, 'sql' | 'clock' | 'random' | 'log'>,
): Promise<void> {
  await prepareBook(sql)
  const nonce = random.bytes(16).toString('hex')
  const limits = { challengeSeconds: config.challengeSeconds }
  const app = sandboxApp({ sql, clock, random, log, nonce, address: config.sandboxUrl, limits })
  const { sandboxPort: port, sandboxHost: host } = config
  const listener = await listen(app, { port, setting: 'SANDBOX_PORT', host, clock })
  const idle = new AbortController()
  const http = endingHttp(networkHttp(clock), idle.signal)
  const tending = tendUntil(idle.signal, { sql, clock, random, log, http })
  const isBeside = process.send !== undefined && config.databaseUrl === undefined
  if (isBeside) writeNote(config.home, { pid: process.pid, port, nonce })
  tell({ ready: true })
  log.info({ version: config.version, port }, 'the sandbox is ready')
  // A service that went before we were ready will not come back for us.
  const reason = isBeside && !process.connected ? 'the service is gone' : await ended
  log.info({ reason }, 'ending')
  idle.abort()
  await tending
  await listener.close(closePatienceMs)
  if (isBeside && readNote(config.home)?.nonce === nonce) rmSync(noteFile(config.home), { force: true })
}

/** What the bank does by itself, again and again. A database that is away for a while is asked again. */
async function tendUntil(
  ended: AbortSignal,
  tools: Parameters<typeof tendAuthentications>[0],
): Promise<void> {
  while (!ended.aborted) {
    await tendAuthentications(tools).catch((err: unknown) =>
      tools.log.warn({ err }, 'the authentications could not be looked after'),
    )
    await tools.clock.sleep(tendingPauseMs, ended).catch(() => undefined)
  }
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
  })
}

/** Settles when the service that started this process is gone; never when nobody did. */
function serviceLeft(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', resolve)
  })
}

/** Settles some time after the service left. */
export async function staysAlone(left: Promise<void>, clock: Clock): Promise<string> {
  await left
  await clock.sleep(aloneMs)
  return 'the service did not come back'
}

function tell(word: Word): void {
  // Nobody may be there any more to be told.
  if (process.connected) process.send?.(word, () => undefined)
}

interface BesideOptions {
  config: Config
  clock: Clock
  http: Http
  log: Log
}

/**
 * The sandbox as a process beside the service, in a session of its own: it outlives a service that is killed, as banks
 * do. Guarantee: one that a service of this home left behind is replaced, and no other process is ever ended.
 */
export class SandboxBeside {
  readonly #options: BesideOptions
  readonly #ending = new AbortController()
  readonly #kept: Promise<void>
  #child: ChildProcess | undefined
  /** Settles when it serves; rejects when it cannot. */
  readonly ready: Promise<void>

  constructor(options: BesideOptions) {
    this.#options = options
    this.ready = this.#launch('w')
    this.#kept = this.ready.then(
      () => this.#keep(),
      () => undefined,
    )
  }

  /** Ends it in order, and waits until it is gone. */
  async stop(): Promise<void> {
    this.#ending.abort()
    const child = this.#child
    if (child && isAlive(child)) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = new AbortController()
      const { clock } = this.#options
      clock.sleep(endPatienceMs, late.signal).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      )
      await gone
      late.abort()
    }
    await this.#kept
  }

  async #launch(logFlag: 'w' | 'a'): Promise<void> {
    const { config, clock } = this.#options
    for (let attempt = 1; ; attempt++) {
      await endOrphan(this.#options)
      if (this.#ending.signal.aborted) throw new Error('told to end')
      const child = spawnSandbox(config.home, attempt === 1 ? logFlag : 'a')
      this.#child = child
      const word = await firstWord(child, logFile(config.home))
      if ('ready' in word) return
      if (!word.isPortTaken || attempt === portTries) throw new Error(word.failed)
      await clock.sleep(portPauseMs)
    }
  }

  /** Starts it again whenever it ends by itself, at a pace that slows down when it ends at once. */
  async #keep(): Promise<void> {
    const { clock, log } = this.#options
    const { signal } = this.#ending
    let paceMs = shortestPaceMs / 2
    while (!signal.aborted) {
      const startedAtMs = clock.monotonicMs()
      if (this.#child && isAlive(this.#child)) await once(this.#child, 'exit')
      if (signal.aborted) return
      const hasLived = clock.monotonicMs() - startedAtMs > longestPaceMs
      paceMs = hasLived ? shortestPaceMs : Math.min(paceMs * 2, longestPaceMs)
      log.warn({ pace_ms: paceMs }, 'the sandbox ended by itself; it is started again')
      await clock.sleep(paceMs, signal).catch(() => undefined)
      await this.#launch('a').catch((err: unknown) => {
        if (!signal.aborted) log.error({ err }, 'the sandbox could not be started')
      })
    }
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** Its output goes to a file of its own: ours may be closed long before it ends. */
function spawnSandbox(home: string, logFlag: 'w' | 'a'): ChildProcess {
  const output = openSync(logFile(home), logFlag, 0o600)
  try {
    const main = join(import.meta.dirname, 'main.ts')
    const stdio = ['ignore' as const, output, output, 'ipc' as const]
    const child = spawn(process.execPath, [main, 'sandbox'], { detached: true, stdio })
    child.on('error', () => undefined)
    return child
  } finally {
    closeSync(output)
  }
}

async function firstWord(child: ChildProcess, log: string): Promise<Word> {
  const failed = `The sandbox ended before it was ready. Its log is ${log}.`
  const silence: Word = { failed, isPortTaken: false }
  return new Promise((resolve) => {
    child.once('message', (word) => resolve(word as Word))
    child.once('exit', () => resolve(silence))
    child.once('error', (error) => resolve({ ...silence, failed: error.message }))
  })
}

/** Ends the sandbox that a killed service of this home left behind, if there is one. */
async function endOrphan({ config, clock, http, log }: BesideOptions): Promise<void> {
  const note = readNote(config.home)
  if (!note || !(await isStillThere(note, http))) return
  log.info({ pid: note.pid }, 'replacing the sandbox that an earlier service left')
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const giveUpAtMs = clock.monotonicMs() + endPatienceMs
    kill(note.pid, signal)
    while (clock.monotonicMs() < giveUpAtMs) {
      if (!(await isStillThere(note, http))) return
      await clock.sleep(20)
    }
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

async function isStillThere({ port, nonce }: Note, http: Http): Promise<boolean> {
  return (await nonceAt(port, http)) === nonce
}

/** What the sandbox at a port tells of itself; undefined when there is none. */
async function nonceAt(port: number, http: Http): Promise<string | undefined> {
  try {
    const url = `http://127.0.0.1:${port}/livez`
    const { body } = await http.send({ method: 'GET', url, patienceMs: 2_000 })
    const nonce: unknown = JSON.parse(body.toString())?.nonce
    return typeof nonce === 'string' ? nonce : undefined
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof SyntaxError) return undefined
    throw error
  }
}

const noteFile = (home: string) => join(home, 'sandbox.json')
const logFile = (home: string) => join(home, 'sandbox.log')

function readNote(home: string): Note | undefined {
  try {
    const { pid, port, nonce } = JSON.parse(readFileSync(noteFile(home), 'utf8'))
    const isNote = Number.isInteger(pid) && pid > 1 && Number.isInteger(port) && typeof nonce === 'string'
    return isNote ? { pid, port, nonce } : undefined
  } catch {
    return undefined
  }
}

function writeNote(home: string, note: Note): void {
  const draft = `${noteFile(home)}.${systemRandom.bytes(6).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 })
  renameSync(draft, noteFile(home))
}
