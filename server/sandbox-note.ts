import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient } from './kit/http-client.ts'
import { NoHttpResponse } from './kit/http-client.ts'
import { systemRandom } from './kit/random.ts'

/** Note that a sandbox beside a service leaves at home, so that the next service of that home knows it again. */
export interface Note {
  /** The home it was left in: a copy of a home has the note of a sandbox that is not its own. */
  home: string
  pid: number
  port: number
  /** Word that `/livez` at that port answers, if it is still that process. */
  nonce: string
}

/** Message of a sandbox to the service that started it. */
export type SandboxProcessMessage = { ready: true } | { failed: string; isPortTaken: boolean }

/** Message to the sandbox: this service owns the home; start serving. */
export const goAhead = 'go ahead'

/** Nonce of the sandbox at a port; undefined when there is none. */
export async function nonceAt(port: number, http: HttpClient): Promise<string | undefined> {
  try {
    const url = `http://127.0.0.1:${port}/livez`
    const { body } = await http.send({ method: 'GET', url, timeoutMs: 2_000 })
    const nonce: unknown = JSON.parse(body.toString())?.nonce
    return typeof nonce === 'string' ? nonce : undefined
  } catch (error) {
    if (error instanceof NoHttpResponse || error instanceof SyntaxError) return undefined
    throw error
  }
}

const noteFile = (home: string) => join(home, 'sandbox.json')
export const logFile = (home: string) => join(home, 'sandbox.log')

export function readNote(home: string): Note | undefined {
  try {
    const note = JSON.parse(readFileSync(noteFile(home), 'utf8'))
    return isNote(note) && note.home === realpathSync(home) ? note : undefined
  } catch {
    return undefined
  }
}

function isNote({ pid, port, nonce }: Partial<Note>): boolean {
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536
  return Number.isInteger(pid) && Number(pid) > 1 && isPort && typeof nonce === 'string'
}

export function writeNote(home: string, note: Omit<Note, 'home'>): void {
  const draft = `${noteFile(home)}.${systemRandom.bytes(6).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify({ home: realpathSync(home), ...note })}\n`, { mode: 0o600 })
  renameSync(draft, noteFile(home))
}

export function removeNote(home: string): void {
  rmSync(noteFile(home), { force: true })
}
