import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** This checkout. */
export const ownRoot = join(import.meta.dirname, '..')
const stopTimeoutMs = 10_000

/** A process that we started, and that ends at the latest when its scope does. */
export class Child implements AsyncDisposable {
  readonly pid: number
  /** Settles with the manner of its end. */
  readonly ended: Promise<string>
  readonly #name: string
  readonly #process: ChildProcess

  /**
   * Runs a program of this repository, or of another checkout of it. Of our own environment it sees the path alone: a setting that happens to be
   * there must not change what is measured. Its standard output, where the log goes, is `/dev/null`.
   */
  constructor(program: string, words: string[], env: Record<string, string> = {}, root = ownRoot) {
    this.#name = program
    this.#process = spawn(process.execPath, [join(root, program), ...words], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env['PATH'], ...env },
    })
    this.pid = this.#process.pid ?? 0
    this.ended = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(error.message))
      this.#process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
  }

  send(message: object | string): void {
    // An error means that it has ended, which whoever waits for its answer is told anyway.
    this.#process.send(message, () => undefined)
  }

  /** The next message that it sends. */
  async message<Message>(timeoutMs: number): Promise<Message> {
    const signal = AbortSignal.timeout(timeoutMs)
    const [message] = await this.whileRunning(once(this.#process, 'message', { signal }))
    return message
  }

  /** What the work answers, unless this process ends before it. */
  async whileRunning<Result>(work: Promise<Result>): Promise<Result> {
    const early = this.ended.then((how) => {
      throw new Error(`${this.#name} ended: ${how}`)
    })
    return Promise.race([work, early])
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const impatience = setTimeout(() => this.kill(), stopTimeoutMs)
    this.#process.kill('SIGINT')
    await this.ended
    clearTimeout(impatience)
  }
}

/** What a process has used so far; NaN where there is no /proc, as the ratios need neither. */
export function usageOf(pid: number): { rssMb: number; peakMb: number; cpuS: number } {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  if (!existsSync(`/proc/${pid}`)) return { rssMb: Number.NaN, peakMb: Number.NaN, cpuS: Number.NaN }
  const status = read('status')
  const [, rssKb] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
  const [, peakKb] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? []
  // The second field, the program's name in brackets, may hold spaces: times are counted from its end, in hundredths.
  const fields = read('stat').split(') ').at(-1)?.split(' ') ?? []
  return {
    rssMb: Number(rssKb) / 1024,
    peakMb: Number(peakKb) / 1024,
    cpuS: (Number(fields[11]) + Number(fields[12])) / 100,
  }
}
