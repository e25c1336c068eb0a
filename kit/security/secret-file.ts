import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

/** Generated secret of an installation without `VEZNE_SECRET`; undefined before the first start. */
export function readInstallationSecret(home: string): string | undefined {
  return readSecret(join(home, 'secret'))
}

/**
 * Secret of an installation without `VEZNE_SECRET`: generated once, in the home, readable only by its owner.
 * The file appears whole or not at all. If two processes start at the same time, both use the same secret.
 */
export function readOrCreateInstallationSecret(home: string, random: Random): string {
  const file = join(home, 'secret')
  const known = readSecret(file)
  if (known !== undefined) return known
  const draft = `${file}.${random.bytes(6).toString('hex')}`
  writeFileSync(draft, `${random.bytes(48).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  const made = readSecret(file)
  if (made === undefined) throw new Error(`${file} was just created, but does not exist`)
  return made
}

function readSecret(file: string): string | undefined {
  let text: string
  try {
    assertPrivate(file)
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  if (text.length < 32)
    throw new Error(`${file} contains no secret. Restore it from a backup, or set VEZNE_SECRET.`)
  return text
}

/** Anyone who can read the secret can make tokens for every merchant. */
function assertPrivate(file: string): void {
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) !== 0)
    throw new Error(`Other users have access to ${file}. To restrict it: chmod 600 ${file}`)
  const us = process.getuid?.() ?? uid
  if (uid !== us && us !== 0) throw new Error(`${file} belongs to another user. Start Vezne as that user.`)
}
