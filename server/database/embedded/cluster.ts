import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from '../../../kit/security/random.ts'
import type { PostgresBinaries } from './binaries.ts'
import { findPostgresPackage, openBinaries } from './binaries.ts'
import { openClusterFolder } from './cluster-folder.ts'
import type { OsAccount } from './os-account.ts'
import { chooseOsAccount, runAs } from './os-account.ts'

/** A complete data folder and everything needed to run a server on it. */
export interface Cluster {
  /** Folder that we own; it holds `data` and, if the path is short enough, the socket folders. */
  area: string
  data: string
  logFile: string
  account: OsAccount
  binaries: PostgresBinaries
}

/** Written into `postgresql.conf`, for operators to edit. Settings for durable commits stay at the default. */
const settings = { timezone: 'UTC', log_timezone: 'UTC', max_connections: 100, log_checkpoints: 'off' }

/** Opens or creates the cluster of a home. Guarantee: `data` is complete or absent, even after a kill. */
export async function openCluster(givenHome: string, random: Random): Promise<Cluster> {
  const home = realpathSync(givenHome)
  const installed = findPostgresPackage()
  const account = chooseOsAccount(join(home, 'postgres', 'data'))
  const area = await openClusterFolder(home, account, random)
  const binaries = await openBinaries(installed, account)
  const cluster = { area, data: join(area, 'data'), logFile: join(home, 'postgres.log'), account, binaries }
  if (!existsSync(cluster.data)) {
    await makeData(cluster, random)
    for (const folder of [area, dirname(area), home]) sync(folder)
  }
  checkVersion(cluster)
  await removeLeftovers(cluster)
  return cluster
}

async function makeData(cluster: Cluster, random: Random): Promise<void> {
  const { area, data, account, binaries } = cluster
  const fresh = join(area, `new-${process.pid}-${random.bytes(4).toString('hex')}`)
  makeFolderFor(account, fresh)
  const { ok, output } = await runAs(account, binaries.initdb, [
    ...['--pgdata', fresh, '--username', 'vezne', '--auth-local', 'trust', '--auth-host', 'reject'],
    // The builtin provider sorts and compares alike on every machine, independent of its C library.
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ])
  if (ok && renamed(fresh, data)) return
  await removeFolderOf(account, fresh)
  if (!ok)
    throw new Error(`PostgreSQL's initdb could not create a data folder in ${area}:\n${output.slice(-2000)}`)
}

/** False if another start was first: a folder is never renamed onto one that is not empty. */
function renamed(fresh: string, data: string): boolean {
  try {
    renameSync(fresh, data)
    return true
  } catch (error) {
    if (existsSync(data)) return false
    throw error
  }
}

function checkVersion({ data, account, binaries }: Cluster): void {
  let version: string
  try {
    version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  } catch {
    throw new Error(`${data} exists, but is not a PostgreSQL data folder that ${account.name} can use.`)
  }
  if (version === binaries.major) return
  throw new Error(
    `The data in ${data} was created by PostgreSQL ${version}, but this is PostgreSQL ${binaries.major}. Migrate the data with pg_upgrade or pg_dump, or start the Vezne release that created it.`,
  )
}

/** Removes leftovers of killed starts. A socket folder in use is not empty and stays. */
async function removeLeftovers({ area, account }: Cluster): Promise<void> {
  for (const name of readdirSync(area)) {
    const [, kind, maker] = /^(new|socket)-(\d+)-/.exec(name) ?? []
    if (!maker || isAlive(Number(maker))) continue
    if (kind === 'new') await removeFolderOf(account, join(area, name))
    else removeIfEmpty(join(area, name))
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Creates a folder that only the account may enter. The owner of a link's target is never changed. */
export function makeFolderFor(account: OsAccount, folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  const handle = openSync(folder, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  fchownSync(handle, account.uid, account.gid)
  closeSync(handle)
}

/** The account deletes its files: links could mislead root. A later start removes those of a late initdb. */
async function removeFolderOf(account: OsAccount, folder: string): Promise<void> {
  await runAs(account, '/bin/rm', ['-rf', folder])
  removeIfEmpty(folder)
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // The folder is gone already or not empty.
  }
}

/** Makes the names in a folder survive a power cut, as initdb does for its own files. */
function sync(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
