import { Socket } from 'node:net'
import { Client } from 'pg'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { PostgresServer } from './postmaster.ts'

/**
 * One connection that only holds locks, so that the server itself knows its users. Session locks are used
 * only here: the embedded server is always a real PostgreSQL, without a pooler, and frees them when our
 * process is gone, however it ended. They are held in the database `postgres`, because such locks are per
 * database and that one always exists.
 */
export interface LockSession {
  server: PostgresServer
  client: Client
  socket: Socket
  /** Settles with the reason when the connection ends for any cause; the locks are then gone. */
  lost: Promise<string>
  isLost: boolean
}

/** Held by the one service of a home. */
const serviceLock = '4242, 1'
/** Shared by all users of the server; held exclusively by a process that is about to stop it. */
const usersLock = '4242, 2'

const takeOverLimitMs = 2_000
const takeOverPauseMs = 20

/** Connects to a server, or returns the reason why it cannot. */
export async function openLockSession(server: PostgresServer): Promise<LockSession | string> {
  const socket = new Socket()
  const client = new Client({
    host: server.socketFolder,
    port: server.port,
    user: 'vezne',
    database: 'postgres',
    application_name: 'vezne lock',
    ssl: false,
    connectionTimeoutMillis: 5_000,
    stream: () => socket,
  })
  const { promise: lost, resolve } = Promise.withResolvers<string>()
  const session = { server, client, socket, lost, isLost: false }
  const lose = (reason: string) => {
    session.isLost = true
    resolve(reason)
  }
  client.on('error', (error) => lose(error.message))
  client.once('end', () => lose('the connection was closed'))
  try {
    await client.connect()
    return session
  } catch (error) {
    socket.destroy()
    return (error as Error).message
  }
}

/** `stopping`: the server is about to be stopped, or it went away; look for a server again. */
export async function takeLocks(
  session: LockSession,
  role: 'service' | 'visitor',
  clock: Clock,
): Promise<'taken' | 'stopping' | 'in use'> {
  // The server may need a moment to notice a killed service, so the first refusal is not final.
  const giveUpAt = clock.monotonicMs() + takeOverLimitMs
  try {
    while (role === 'service' && !(await ask(session, `pg_try_advisory_lock(${serviceLock})`))) {
      if (clock.monotonicMs() > giveUpAt) return 'in use'
      await clock.sleep(takeOverPauseMs)
    }
    return (await ask(session, `pg_try_advisory_lock_shared(${usersLock})`)) ? 'taken' : 'stopping'
  } catch {
    return 'stopping'
  }
}

/** Gives up our use. Without another user, none can begin from now on: the server may be stopped. */
export async function becomeLastUser(session: LockSession): Promise<boolean> {
  try {
    await ask(session, `pg_advisory_unlock_shared(${usersLock})`)
    return await ask(session, `pg_try_advisory_lock(${usersLock})`)
  } catch {
    return false
  }
}

async function ask({ client }: LockSession, question: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(`select ${question} as answer`)
  return rows[0]?.answer === true
}

/** Creates the database `vezne` unless it exists; if two processes try, the second finds it. */
export async function ensureDatabase({ client }: LockSession): Promise<void> {
  const found = await client.query(`select from pg_database where datname = 'vezne'`)
  if (found.rowCount) return
  try {
    await client.query('create database vezne')
  } catch (error) {
    const [duplicateDatabase, uniqueViolation] = ['42P04', '23505']
    const { code } = error as { code?: string }
    if (code !== duplicateDatabase && code !== uniqueViolation) throw error
  }
}
