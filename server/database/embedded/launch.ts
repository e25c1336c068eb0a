import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../../kit/security/random.ts'
import type { Cluster } from './cluster.ts'
import { makeFolderFor, removeIfEmpty } from './cluster.ts'
import type { OsAccount } from './os-account.ts'
import { canEnterFolder, spawnOptionsOf } from './os-account.ts'

/** One attempt to start a server. Its process outlives ours, and the next process takes it over. */
export interface ServerLaunch {
  hasEnded(): boolean
  /** The end of its log, for the operator. */
  logTail(): string
  /** Stops it and waits until it is gone. */
  stop(): Promise<void>
}

const port = 5432
/** The kernel stores a socket's path in a field of fixed size, ended by a zero byte. */
const longestSocketPath = process.platform === 'darwin' ? 103 : 107

/** Starts a server in its own session, so that Ctrl-C in the terminal does not reach it before we stop it. */
export async function launchServer(cluster: Cluster, random: Random): Promise<ServerLaunch> {
  const { data, account, binaries, logFile } = cluster
  const socketFolder = await makeSocketFolder(cluster.area, account, random)
  const log = openSync(logFile, 'a', 0o600)
  const start = fstatSync(log).size
  // Access to the socket folder is the only access control, so there is no network listener, whatever the
  // settings are. The log contains errors without the values: a value may be a secret.
  const quiet = ['-c', 'log_error_verbosity=terse', '-c', 'log_min_error_statement=panic']
  const args = ['-D', data, '-p', String(port), '-k', quoted(socketFolder), '-h', '', ...quiet]
  const options = { ...spawnOptionsOf(account), detached: true }
  const child = spawn(binaries.postgres, args, { ...options, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  let end: string | undefined
  const gone = Promise.withResolvers<void>()
  const note = (why: string) => {
    end = why
    removeIfEmpty(socketFolder)
    gone.resolve()
  }
  child.once('error', (error) => note(`PostgreSQL could not be run as ${account.name}: ${error.message}`))
  child.once('exit', () => note(''))
  return {
    hasEnded: () => end !== undefined,
    stop: async () => {
      if (end !== undefined) return
      child.ref()
      child.kill('SIGINT')
      await gone.promise
    },
    logTail: () => `${readFileSync(logFile).subarray(start)}${end ?? ''}`.slice(-2000),
  }
}

/**
 * A new folder for each start, whose mode is the access control. It is beside the data, or in the temporary
 * folder if the path would be too long. There its name cannot be guessed, and an existing one is never used.
 */
async function makeSocketFolder(area: string, account: OsAccount, random: Random): Promise<string> {
  const id = random.bytes(8).toString('hex')
  const choices = [
    join(area, `socket-${process.pid}-${id.slice(-4)}`),
    join(tmpdir(), `vezne-${id}`),
    `/tmp/vezne-${id}`,
  ]
  for (const folder of choices) {
    if (Buffer.byteLength(join(folder, `.s.PGSQL.${port}`)) > longestSocketPath) continue
    try {
      makeFolderFor(account, folder)
    } catch {
      continue
    }
    if (await canEnterFolder(account, folder)) return folder
    removeIfEmpty(folder)
  }
  throw new Error(
    `There is no folder for PostgreSQL's socket: the path of ${area} is too long, and no folder can be created in ${tmpdir()} or /tmp.`,
  )
}

/** PostgreSQL reads a list of folders, in which a comma or a space would separate two. */
const quoted = (folder: string) => `"${folder.replaceAll('"', '""')}"`
