import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { Random } from '../../kit/security/random.ts'
import { credentialsOfTerminal, enrolTerminal } from './store.ts'

export interface SandboxTools {
  sql: Sql
  clock: Clock
  random: Random
}

/**
 * The terminal that the header of a request signs in, undefined when it does not. A terminal that nobody has seen is
 * enrolled with the password that it comes with, for nobody has to apply for one here.
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

/** Whether the password is the terminal's, which is whatever it came with first. */
export async function isTerminalPassword(
  tools: SandboxTools,
  terminal: string,
  password: string,
): Promise<boolean> {
  let known = await credentialsOfTerminal(tools.sql, terminal)
  if (!known) {
    await enrolWith(tools, terminal, password)
    known = await credentialsOfTerminal(tools.sql, terminal)
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
  await enrolTerminal(sql, terminal, { salt, passwordHash: hashOf(salt, password) }, clock.now())
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

/** Passwords of terminals are long and random, so a plain hash keeps them, and takes no time. */
function hashOf(salt: Buffer, password: string): Buffer {
  return createHash('sha256').update(salt).update(password).digest()
}
