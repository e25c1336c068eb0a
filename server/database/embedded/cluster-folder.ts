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

/** Folders outside every home, for an account that cannot enter the home. The first that works is used. */
const foldersOutsideHome = ['/var/lib/vezne', '/var/tmp/vezne', join(tmpdir(), 'vezne')]

/**
 * The folder that holds a home's cluster: `home/postgres`, or the target of that link. We keep owning it,
 * even if another account owns the folders in it. Root therefore never works on names that this account could
 * replace.
 */
export async function openClusterFolder(home: string, account: OsAccount, random: Random): Promise<string> {
  const entry = join(home, 'postgres')
  if (!lstatSync(entry, { throwIfNoEntry: false })) {
    if (await canEnterFolder(account, dirname(home))) mkdirSync(entry, { recursive: true, mode: 0o711 })
    else await linkOutsideHome(entry, account, random)
  }
  if (!statSync(entry, { throwIfNoEntry: false })) {
    throw new Error(
      `${entry} links to ${readlinkSync(entry)}, which does not exist. Restore that folder, or remove the link to start with an empty database.`,
    )
  }
  const area = realpathSync(entry)
  assertOwnFolder(home, area)
  if (!isOwnAccount(account)) {
    // The account may enter but not list the home: secrets in it have mode 600.
    if (dirname(area) === home) letPass(home)
    letPass(area)
    if (!(await canEnterFolder(account, area))) {
      throw new Error(
        `PostgreSQL runs as ${account.name}, and this account cannot enter ${area}. Give it search permission on every folder above.`,
      )
    }
  }
  return area
}

/** True if a start created the home's data. A link to missing data counts: opening it reports the remedy. */
export function hasPostgresData(home: string): boolean {
  const entry = join(home, 'postgres')
  return hasEntry(entry) && (!existsSync(entry) || existsSync(join(entry, 'data')))
}

/** Error codes of impossible paths: below a file, in a loop of links, or with too long a name. */
const impossible = ['ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

function hasEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && impossible.includes(String(error.code))) return false
    throw error
  }
}

/** A copied home contains the original's link and would use its data. */
function assertOwnFolder(home: string, area: string): void {
  const note = join(area, 'home.txt')
  if (dirname(area) === home || !existsSync(note) || readFileSync(note, 'utf8') === noteOf(home)) return
  throw new Error(
    `${home} links to the data of another home, according to ${note}. If this home is a copy, replace the link by a copy of that folder. If the home was moved, write this into the file ${note}: ${noteOf(home)}`,
  )
}

function noteOf(home: string): string {
  return `The PostgreSQL data of the Vezne home ${home}\n`
}

/** If two processes start at once, one creates the link; the other uses it and removes its own folder. */
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

/** Guarantee: only we or the account created the contents. Folders of other users are skipped. */
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
      // The folder cannot be created or written; try the next one.
    }
  }
  throw new Error(
    `PostgreSQL runs as ${account.name} and needs a folder that this account can enter. None of these can be used: ${foldersOutsideHome.join(', ')}.`,
  )
}

function letPass(folder: string): void {
  chmodSync(folder, (statSync(folder).mode & 0o777) | 0o011)
}
