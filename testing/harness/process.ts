import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import type { Environment } from '../../server/config.ts'
import { environment } from '../../server/config.ts'
import { onInterrupt } from './on-interrupt.ts'

export const root = join(import.meta.dirname, '..', '..')

/** The service in its own process, which tests can signal and kill. */
export interface ServiceProcess {
  child: ChildProcess
  url: string
  /** Output of both streams so far. */
  output(): string
  /** Waits for a line with these words; fails if the process ends first. */
  waitForLine(words: string): Promise<string>
  /** Sends the signal and waits for the end; returns the exit code or the signal. */
  end(signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL'): Promise<number | string>
  ended: Promise<number | string>
}

/** A test or a group of tests, with cleanup at its end. */
export interface CleanupScope {
  after(work: () => void): void
}

/** Cleanup scope of a group; call it inside `describe`. The last cleanup runs first. */
export function suiteCleanupScope(): CleanupScope {
  const works: (() => void)[] = []
  after(() => {
    for (const work of works.toReversed()) work()
  })
  return { after: (work) => works.push(work) }
}

const portSettings = ['API_PORT', 'PAGE_PORT', 'SANDBOX_PORT', 'METRICS_PORT', 'DEMO_PORT'] as const

/** Ports that were free a moment ago, as settings. */
export async function freePorts(): Promise<Record<(typeof portSettings)[number], string>> {
  const servers = portSettings.map(() => createServer())
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' ? String(address?.port) : ''
    }),
  )
  for (const server of servers) server.close()
  const [API_PORT = '', PAGE_PORT = '', SANDBOX_PORT = '', METRICS_PORT = '', DEMO_PORT = ''] = ports
  return { API_PORT, PAGE_PORT, SANDBOX_PORT, METRICS_PORT, DEMO_PORT }
}

/** Starts a program in the project's folder. */
export function startProcess(t: CleanupScope, words: string[], env: Environment, cwd = root): ServiceProcess {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // The whole process group gets the signal, as from a terminal on Ctrl-C.
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal)
    } catch {
      // The process has ended already.
    }
  }
  t.after(() => signalGroup('SIGKILL'))
  onInterrupt(() => signalGroup('SIGKILL'))
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  const lines: string[] = []
  const waiting: { words: string; notify: (line: string) => void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const { words: text, notify } of waiting) if (line.includes(text)) notify(line)
    })
  }
  const waitForLine = (text: string) => {
    const already = lines.find((line) => line.includes(text))
    if (already !== undefined) return Promise.resolve(already)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    waiting.push({ words: text, notify: resolve })
    void ended.then((code) => reject(new Error(`ended with ${code} before "${text}":\n${lines.join('\n')}`)))
    return promise
  }
  return {
    child,
    url: `http://localhost:${env['API_PORT']}`,
    output: () => lines.join('\n'),
    waitForLine,
    end: (signal = 'SIGINT') => {
      signalGroup(signal)
      return ended
    },
    ended,
  }
}
