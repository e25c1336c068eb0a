import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Random } from '../../../kit/security/random.ts'
import type { OsAccount } from './os-account.ts'
import { canEnterFolder, isOwnAccount } from './os-account.ts'

/** Outside every home: where a lent account can reach its files when it cannot enter the home. The first that works. */
const foldersOutsideHome = ['/var/lib/vezne', '/var/tmp/vezne', join(tmpdir(), 'vezne')]

/**
 * The folder that holds the cluster of a home: `home/postgres`, or what that links to. It stays ours even when a lent
 * account owns the folders in it, so that root never works on names which that account could exchange meanwhile.
 */
export async function openClusterFolder(home: string, account: OsAccount, random: Random): Promise<string> {
  const entry = join(home, 'postgres')
  if (!lstatSync(entry, { throwIfNoEntry: false })) {
    if (await canEnterFolder(account, dirname(home))) mkdirSync(entry, { recursive: true, mode: 0o711 })
    else await linkOutsideHome(entry, account, random)
  }
  if (!statSync(entry, { throwIfNoEntry: false })) {
    throw new Error(
      `${entry} links to ${readlinkSync(entry)}, which is not there. Bring that folder back, or remove the link to start with an empty database.`,
    )
  }
  const area = realpathSync(entry)
  assertOwnFolder(home, area)
  if (!isOwnAccount(account)) {
    // The account may pass through, not look around: what is secret in a home has mode 600.
    if (dirname(area) === home) letPass(home)
    letPass(area)
    if (!(await canEnterFolder(account, area))) {
      throw new Error(
        `PostgreSQL runs as ${account.name}, who cannot enter ${area}. Let it pass every folder above.`,
      )
    }
  }
  return area
}

/** Whether a start ever made the data of a home. A link to data that is gone counts: openClusterFolder says what to do about it. */
export function hasPostgresData(home: string): boolean {
  const entry = join(home, 'postgres')
  return hasEntry(entry) && (!existsSync(entry) || existsSync(join(entry, 'data')))
}

/** Codes of paths that cannot exist: below a file, in a circle of links, with a name that is too long. */
const impossible = ['ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

function hasEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && impossible.includes(String(error.code))) return false
    throw error
  }
}

/** A copied home has the link of the original, and would work on its data. */
function assertOwnFolder(home: string, area: string): void {
  const note = join(area, 'home.txt')
  if (dirname(area) === home || !existsSync(note) || readFileSync(note, 'utf8') === noteOf(home)) return
  throw new Error(
    `${home} links to the data of another home, as ${note} says. For a copy, put a copy of that folder in the place of the link; for a home that was moved, write into that file: ${noteOf(home)}`,
  )
}

function noteOf(home: string): string {
  return `The PostgreSQL data of the Vezne home ${home}\n`
}

/** Of two starts at once one makes the link; the other finds it and withdraws its own folder. */
async function linkOutsideHome(entry: string, account: OsAccount, random: Random): Promise<void> {
  const folder = join(await openFolderOutsideHome(account), random.bytes(8).toString('hex'))
  mkdirSync(folder, { mode: 0o711 })
  writeFileSync(join(folder, 'home.txt'), noteOf(dirname(entry)))
  try {
    symlinkSync(folder, entry)
  } catch {
    rmSync(folder, { recursive: true })
  }
}

/** Guarantee: only we or the account could have put something there; a folder that a stranger made ready is passed over. */
export async function openFolderOutsideHome(account: OsAccount): Promise<string> {
  for (const folder of foldersOutsideHome) {
    try {
      mkdirSync(folder, { recursive: true })
      const found = lstatSync(folder)
      const isOurs = found.uid === process.geteuid?.()
      const isTheirs = found.uid === account.uid && !(found.mode & 0o022)
      if (!found.isDirectory() || !(isOurs || isTheirs)) continue
      if (isOurs) chmodSync(folder, 0o755)
      accessSync(folder, constants.W_OK)
      if (await canEnterFolder(account, folder)) return folder
    } catch {
      // It cannot be made or written; the next one may.
    }
  }
  throw new Error(
    `PostgreSQL runs as ${account.name} and needs a folder that this account can enter; none of ${foldersOutsideHome.join(', ')} can be used.`,
  )
}

function letPass(folder: string): void {
  chmodSync(folder, (statSync(folder).mode & 0o777) | 0o011)
}
