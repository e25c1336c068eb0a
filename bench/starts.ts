import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePorts } from './environment.ts'

const root = join(import.meta.dirname, '..')
const rounds = 5

type Figures = Record<string, number>

/** `./vezne help`: the command line only. */
export function helpCost(): Promise<Figures> {
  return besideNothing(() => run('./vezne', ['help']))
}

/** `./vezne merchant list` on the embedded database of a running service. */
export async function commandCost(): Promise<Figures> {
  await using home = await Home.open()
  await using _service = await home.start()
  return await besideNothing(() => run('./vezne', ['merchant', 'list'], home.env))
}

/** `npm start` on existing data until it is ready: API, page, sandbox and demo shop. */
export async function startCost(): Promise<Figures> {
  await using home = await Home.open()
  return await besideNothing(() => home.start())
}

/** Timed work. Returns a resource to dispose of after the timing. */
type Work = () => Promise<AsyncDisposable | undefined>

/** Median of several rounds, alternating with rounds of a program that does nothing. */
async function besideNothing(work: Work): Promise<Figures> {
  const times: { ms: number; bareMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const bareMs = await timed(() => run('./scripts/node', ['bench/nothing.ts']))
    times.push({ bareMs, ms: await timed(work) })
  }
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
  return {
    ms: Math.round(middle(times.map(({ ms }) => ms))),
    bare_ms: Math.round(middle(times.map(({ bareMs }) => bareMs))),
    ratio: Math.round(10 * middle(times.map(({ ms, bareMs }) => ms / bareMs))) / 10,
  }
}

async function timed(work: Work): Promise<number> {
  const startedAtMs = performance.now()
  await using _left = await work()
  return performance.now() - startedAtMs
}

async function run(program: string, words: string[], env: Record<string, string> = {}): Promise<undefined> {
  const child = spawnHere(program, words, env)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${code}`)
}

function spawnHere(program: string, words: string[], env: Record<string, string>): ChildProcess {
  return spawn(program, words, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Installation with the embedded database, created by a first start and removed at the end. */
class Home implements AsyncDisposable {
  readonly env: Record<string, string>

  private constructor(env: Record<string, string>) {
    this.env = env
  }

  static async open(): Promise<Home> {
    const [api, page, sandbox, metrics, demo] = await freePorts(5)
    const home = new Home({
      VEZNE_HOME: mkdtempSync(join(tmpdir(), 'vezne-bench-')),
      ...{ API_PORT: String(api), PAGE_PORT: String(page), SANDBOX_PORT: String(sandbox) },
      ...{ METRICS_PORT: String(metrics), DEMO_PORT: String(demo), DRAIN_SECONDS: '0' },
    })
    await using _first = await home.start()
    return home
  }

  /** Runs `npm start` until it is ready. It stops with its scope. */
  async start(): Promise<AsyncDisposable> {
    const child = spawnHere('npm', ['start'], this.env)
    const ended = once(child, 'exit')
    const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream })
    for await (const line of lines) {
      if (!line.includes('is ready.')) continue
      const stop = async () => {
        child.kill('SIGINT')
        await ended
      }
      return { [Symbol.asyncDispose]: stop }
    }
    throw new Error('npm start ended before it was ready')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { VEZNE_HOME: home = '' } = this.env
    // If root runs PostgreSQL under another account, the data folder may be outside the home.
    const folders = [realpathSync(join(home, 'postgres')), home]
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}
