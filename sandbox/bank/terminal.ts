import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { Random } from '../../kit/security/random.ts'
import { enrolTerminal, terminalByName } from './store.ts'

export interface SandboxTools {
  sql: Sql
  clock: Clock
  random: Random
}

/**
 * The terminal that the `Authorization` header authenticates; undefined if it does not. An unknown terminal
 * is enrolled with the password of its first request, so that nobody has to apply for one.
 */
export async function signInTerminal(
  tools: SandboxTools,
  header: string | undefined,
): Promise<string | undefined> {
  const [, encoded = ''] = /^Basic ([\w+/]+=*)$/.exec(header ?? '') ?? []
  const [, terminal = '', password = ''] = /^([^:\s]{1,64}):(.{1,200})$/.exec(decoded(encoded)) ?? []
  if (terminal === '') return undefined
  return (await isTerminalPassword(tools, terminal, password)) ? terminal : undefined
}

/** True if the password is the one that enrolled the terminal. An unknown terminal is enrolled with it. */
export async function isTerminalPassword(
  tools: SandboxTools,
  terminal: string,
  password: string,
): Promise<boolean> {
  let known = await terminalByName(tools.sql, terminal)
  if (!known) {
    await enrolWith(tools, terminal, password)
    known = await terminalByName(tools.sql, terminal)
  }
  if (!known) throw new Error('a terminal was enrolled and is not there')
  return timingSafeEqual(known.passwordHash, hashOf(known.salt, password))
}

async function enrolWith(
  { sql, clock, random }: SandboxTools,
  terminal: string,
  password: string,
): Promise<void> {
  const salt = random.bytes(16)
  const passwordHash = hashOf(salt, password)
  await enrolTerminal(sql, { terminal, salt, passwordHash, enrolledAt: clock.now() })
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

/** A salted SHA-256 is enough, because terminal passwords are long and random. */
function hashOf(salt: Buffer, password: string): Buffer {
  return createHash('sha256').update(salt).update(password).digest()
}
