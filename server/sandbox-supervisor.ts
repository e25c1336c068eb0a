import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient } from '../kit/outbound/http-client.ts'
import { networkHttpClient } from '../kit/outbound/http-client.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { Log } from '../kit/runtime/log.ts'
import type { Config } from './config.ts'
import type { SandboxPidFile, SandboxProcessMessage } from './sandbox-pid-file.ts'
import { goAheadMessage, readPidFile, sandboxLogFile, sandboxNonceAt } from './sandbox-pid-file.ts'

const stopTimeoutMs = 8_000
/** Attempts at a taken port: an older sandbox may be about to end. */
const portAttempts = 3
const portPauseMs = 300
const shortestPaceMs = 1_000
const longestPaceMs = 60_000

interface SupervisorOptions {
  config: Config
  clock: Clock
  log: Log
}

/**
 * Runs the sandbox as a separate process beside the service, in its own session: like a bank, it outlives a
 * killed service. The process starts immediately and loads its code, but serves only after `begin()`.
 * Guarantee: a sandbox that an earlier service of this home left behind is replaced, and no other process is
 * ever stopped.
 */
export class SandboxSupervisor {
  readonly #options: SupervisorOptions
  readonly #ending = new AbortController()
  readonly #supervision: Promise<void>
  readonly #mayServe = Promise.withResolvers<void>()
  #child: ChildProcess
  /** Resolves when it serves; rejects if it cannot. */
  readonly ready: Promise<void>

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#child = spawnSandbox(options.config.home)
    this.ready = this.#begin()
    this.#supervision = this.ready.then(
      () => this.#supervise(),
      () => undefined,
    )
  }

  /** Lets it serve. Call it once this service owns the home: only then may a leftover sandbox be stopped. */
  begin(): void {
    this.#mayServe.resolve()
  }

  /** Stops it and waits until it is gone. */
  async stop(): Promise<void> {
    this.#ending.abort()
    this.#mayServe.resolve()
    const child = this.#child
    if (isAlive(child)) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = new AbortController()
      const { clock } = this.#options
      clock.sleep(stopTimeoutMs, late.signal).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      )
      await gone
      late.abort()
    }
    await this.#supervision
  }

  async #begin(): Promise<void> {
    await this.#mayServe.promise
    // A sandbox that has already exited has left the reason in its log, so that log is kept.
    if (!this.#ending.signal.aborted && isAlive(this.#child))
      truncateSync(sandboxLogFile(this.#options.config.home))
    await this.#launch(this.#child)
  }

  /** Lets the child serve. If its port is taken, starts another one: an older sandbox may be about to end. */
  async #launch(first: ChildProcess): Promise<void> {
    const { config, clock } = this.#options
    for (let attempt = 1; ; attempt++) {
      // Set before the first wait, so that `stop` ends it.
      this.#child = attempt === 1 ? first : spawnSandbox(config.home)
      if (!this.#ending.signal.aborted) await endOrphan(this.#options)
      if (this.#ending.signal.aborted) throw new Error('told to end')
      const message = await firstMessage(this.#child, sandboxLogFile(config.home))
      if ('ready' in message) return
      if (!message.isPortTaken || attempt === portAttempts) throw new Error(message.failed)
      await clock.sleep(portPauseMs)
      if (this.#ending.signal.aborted) throw new Error('told to end')
    }
  }

  /** Restarts it whenever it exits by itself, with growing pauses if it exits quickly. */
  async #supervise(): Promise<void> {
    const { config, clock, log } = this.#options
    const { signal } = this.#ending
    let paceMs = shortestPaceMs / 2
    while (!signal.aborted) {
      const startedAtMs = clock.monotonicMs()
      if (isAlive(this.#child)) await once(this.#child, 'exit')
      if (signal.aborted) return
      const hasLived = clock.monotonicMs() - startedAtMs > longestPaceMs
      paceMs = hasLived ? shortestPaceMs : Math.min(paceMs * 2, longestPaceMs)
      log.warn({ pace_ms: paceMs }, 'the sandbox exited by itself; restarting it')
      await clock.sleep(paceMs, signal).catch(() => undefined)
      if (signal.aborted) return
      await this.#launch(spawnSandbox(config.home)).catch((err: unknown) => {
        if (!signal.aborted) log.error({ err }, 'starting the sandbox failed; will retry')
      })
    }
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** Its output goes to its own file: ours may be closed long before it ends. */
function spawnSandbox(home: string): ChildProcess {
  const output = openSync(sandboxLogFile(home), 'a', 0o600)
  try {
    // The script replaces itself with Node, so the child is the sandbox itself.
    const node = join(import.meta.dirname, '..', 'scripts', 'node')
    const stdio = ['ignore' as const, output, output, 'ipc' as const]
    const child = spawn(node, ['server/main.ts', 'sandbox'], { detached: true, stdio })
    child.on('error', () => undefined)
    return child
  } finally {
    closeSync(output)
  }
}

/** Sends the go-ahead and waits for the first message. */
async function firstMessage(child: ChildProcess, log: string): Promise<SandboxProcessMessage> {
  const failed = `The sandbox ended before it was ready. Its log is ${log}.`
  const silence: SandboxProcessMessage = { failed, isPortTaken: false }
  if (!isAlive(child)) return silence
  child.send(goAheadMessage, () => undefined)
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as SandboxProcessMessage))
    child.once('exit', () => resolve(silence))
    child.once('error', (error) => resolve({ ...silence, failed: error.message }))
  })
}

/** Stops the sandbox that a killed service of this home left behind. */
async function endOrphan({ config, clock, log }: SupervisorOptions): Promise<void> {
  const http = networkHttpClient(clock)
  const pidFile = readPidFile(config.home)
  if (!pidFile || !(await isStillThere(pidFile, http))) return
  log.info({ pid: pidFile.pid }, 'stopping the sandbox that a killed service left; starting another')
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const giveUpAtMs = clock.monotonicMs() + stopTimeoutMs
    kill(pidFile.pid, signal)
    while (clock.monotonicMs() < giveUpAtMs) {
      if (!(await isStillThere(pidFile, http))) return
      await clock.sleep(20)
    }
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has just ended.
  }
}

async function isStillThere({ port, nonce }: SandboxPidFile, http: HttpClient): Promise<boolean> {
  return (await sandboxNonceAt(port, http)) === nonce
}
