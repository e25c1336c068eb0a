import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient } from '../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../kit/outbound/http-client.ts'
import { systemRandom } from '../kit/security/random.ts'

/** PID file of a sandbox beside a service. The next service of the home recognises the sandbox by it. */
export interface SandboxPidFile {
  /** Home in which it was written: a copied home contains the PID file of the original's sandbox. */
  home: string
  pid: number
  port: number
  /** Nonce that `/livez` at the port returns while it is the same process. */
  nonce: string
}

/** Message of a sandbox to the service that started it. */
export type SandboxProcessMessage = { ready: true } | { failed: string; isPortTaken: boolean }

/** Message to the sandbox: this service owns the home; start serving. */
export const goAheadMessage = 'go ahead'

/** Nonce of the sandbox at a port; undefined if there is none. */
export async function sandboxNonceAt(port: number, http: HttpClient): Promise<string | undefined> {
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

const pidFilePath = (home: string) => join(home, 'sandbox.json')
export const sandboxLogFile = (home: string) => join(home, 'sandbox.log')

export function readPidFile(home: string): SandboxPidFile | undefined {
  try {
    const pidFile = JSON.parse(readFileSync(pidFilePath(home), 'utf8'))
    return isPidFile(pidFile) && pidFile.home === realpathSync(home) ? pidFile : undefined
  } catch {
    return undefined
  }
}

function isPidFile({ pid, port, nonce }: Partial<SandboxPidFile>): boolean {
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536
  return Number.isInteger(pid) && Number(pid) > 1 && isPort && typeof nonce === 'string'
}

export function writePidFile(home: string, pidFile: Omit<SandboxPidFile, 'home'>): void {
  const draft = `${pidFilePath(home)}.${systemRandom.bytes(6).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify({ home: realpathSync(home), ...pidFile })}\n`, { mode: 0o600 })
  renameSync(draft, pidFilePath(home))
}

export function removePidFile(home: string): void {
  rmSync(pidFilePath(home), { force: true })
}
