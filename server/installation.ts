import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../kit/security/random.ts'
import { readInstallationSecret, readOrCreateInstallationSecret } from '../kit/security/secret-file.ts'
import type { Config } from './config.ts'
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './database/embedded/index.ts'
import { hasPostgresData, startEmbeddedPostgres } from './database/embedded/index.ts'
import type { DatabaseAddress } from './database/pool.ts'
import { waitForDatabase } from './database/start-wait.ts'

/** The secret and the database that all processes of an installation share. */
export interface Installation extends Pick<EmbeddedPostgres, 'databaseEnded' | 'release'> {
  secret: string
  connection: DatabaseAddress
}

export type InstallationOptions = Omit<EmbeddedPostgresOptions, 'home' | 'waitMs'> & {
  /** True if a missing home is created, with a secret and a database. Only `vezne start` does this. */
  makesHome?: boolean
}

/** A command was run on a home without an installation. */
export class NoInstallation extends Error {
  override readonly name = 'NoInstallation'
}

/**
 * Opens an installation: its home, or the configured database and secret once that database accepts
 * connections. Guarantee: without `makesHome` nothing is created on disk if there is no installation.
 */
export async function openInstallation(
  config: Config,
  { makesHome = false, ...options }: InstallationOptions,
): Promise<Installation> {
  const { databaseUrl: url, home } = config
  const secret = secretOf(config, makesHome, options.random)
  const waitMs = config.databaseWaitSeconds * 1000
  if (url === undefined) return { secret, ...(await startEmbeddedPostgres({ home, waitMs, ...options })) }
  options.onServer?.()
  await waitForDatabase({ url }, { ...options, limitMs: waitMs })
  return {
    secret,
    connection: { url },
    databaseEnded: new Promise(() => undefined),
    release: async () => undefined,
  }
}

/**
 * With a configured database and secret nothing is kept in the home. Guarantee: existing data never gets a
 * new secret. The secret is created before the data, so a start also reports a missing one.
 */
function secretOf(config: Config, makesHome: boolean, random: Random): string {
  const { databaseUrl, secret, home } = config
  if (databaseUrl !== undefined && secret !== undefined) return secret
  const isMade = inHome(home, () => hasPostgresData(home))
  if (!isMade && makesHome) {
    inHome(home, () => mkdirSync(home, { recursive: true, mode: 0o700 }))
    return secret ?? readOrCreateInstallationSecret(home, random)
  }
  if (!isMade) {
    throw new NoInstallation(
      `There is no Vezne installation at ${home} (VEZNE_HOME). Run \`vezne start\` there first, or set VEZNE_HOME or DATABASE_URL to an existing installation.`,
    )
  }
  const known = secret ?? readInstallationSecret(home)
  if (known !== undefined) return known
  throw new NoInstallation(
    `The secret of the installation at ${home} is missing. Restore ${join(home, 'secret')} from a backup, or set VEZNE_SECRET.`,
  )
}

/** File system errors do not name the setting, and some do not name the path. */
function inHome<Result>(home: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The home ${home} (VEZNE_HOME) cannot be used: ${why}`, { cause: error })
  }
}
