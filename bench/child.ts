import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Root of this checkout. */
export const ownRoot = join(import.meta.dirname, '..')
const stopTimeoutMs = 10_000

/** Child process that ends with its scope at the latest. */
export class Child implements AsyncDisposable {
  readonly pid: number
  /** Resolves with the exit code, the signal or the error. */
  readonly ended: Promise<string>
  readonly #name: string
  readonly #process: ChildProcess

  /**
   * Runs a program of this checkout or of another one, with the options that it has in use (`scripts/node`).
   * It inherits only PATH, so that no setting of the caller changes the measurement. Its standard output, which
   * is the log, goes to `/dev/null`.
   */
  constructor(program: string, words: string[], env: Record<string, string> = {}, root = ownRoot) {
    this.#name = program
    this.#process = spawn(join(root, 'scripts/node'), [program, ...words], {
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
    // An error means that the process has ended; `message()` reports that.
    this.#process.send(message, () => undefined)
  }

  /** Returns the next message of the process. */
  async message<Message>(timeoutMs: number): Promise<Message> {
    const signal = AbortSignal.timeout(timeoutMs)
    const [message] = await this.whileRunning(once(this.#process, 'message', { signal }))
    return message
  }

  /** Returns the result of the work, or throws if this process ends first. */
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

/** Memory and processor time of a process; NaN without /proc. The ratios need neither. */
export function usageOf(pid: number): { rssMb: number; peakMb: number; cpuS: number } {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  if (!existsSync(`/proc/${pid}`)) return { rssMb: Number.NaN, peakMb: Number.NaN, cpuS: Number.NaN }
  const status = read('status')
  const [, rssKb] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
  const [, peakKb] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? []
  // The second field is the program's name in brackets, which may contain spaces. So fields are counted from
  // its end. Times are in hundredths of a second.
  const fields = read('stat').split(') ').at(-1)?.split(' ') ?? []
  return {
    rssMb: Number(rssKb) / 1024,
    peakMb: Number(peakKb) / 1024,
    cpuS: (Number(fields[11]) + Number(fields[12])) / 100,
  }
}
