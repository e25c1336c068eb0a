import { closeSync, openSync, readSync } from 'node:fs'
import { invalidParameter, Refused } from '../../kit/input/refusals.ts'
import type { Keyring } from '../../kit/security/keyring.ts'
import type { SealedValue } from '../../kit/security/seal.ts'
import { Sealer } from '../../kit/security/seal.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Connector } from '../connectors/index.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { Services } from '../services.ts'
import type { SealedPos } from './store.ts'
import { serviceSealingKey, updateServiceSealingKey } from './store.ts'

/** Secrets that a POS signs in with, by the connector's names. */
export type PosSecrets = Record<string, string>

type SealedSecrets = Pick<SealedPos, 'merchantId' | 'id' | 'secrets' | 'secretsKeyId'>

const largestFile = 64 * 1024

/**
 * Reads `NAME=value` lines from a file or the standard input (`-`), so that no secret is part of a command
 * line.
 */
export function readSecrets(file: string, connector: Connector): PosSecrets {
  const given = secretsIn(readText(file))
  const known = connector.secrets.map(({ name }) => name)
  const missing = known.filter((name) => (given[name] ?? '') === '')
  const strange = Object.keys(given).filter((name) => !known.includes(name))
  // Errors contain names only, because a misplaced value is a secret too.
  if (missing.length > 0) throw invalidParameter('secrets', missed(missing))
  if (strange.length > 0) throw invalidParameter('secrets', unknownNames(known))
  return given
}

/**
 * Parses the lines. A value is everything after `=`, or everything between enclosing quotes. No character is
 * special: a parser that stops at `#` would cut a bank's secret, which would be sealed and never seen again.
 */
function secretsIn(text: string): PosSecrets {
  const secrets: PosSecrets = Object.create(null)
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, givenName, value = ''] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const name = givenName?.toLowerCase()
    if (name === undefined || name in secrets) throw invalidParameter('secrets', wrongLine(index + 1))
    secrets[name] = /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value
  }
  return secrets
}

function wrongLine(line: number): LocalizedText {
  return {
    tr: `${line}. satır AD=değer biçiminde değil veya aynı ad daha önce geçmiş.`,
    en: `Line ${line} is not in the form NAME=value, or its name occurs twice.`,
  }
}

function readText(file: string): string {
  try {
    const bytes = readSome(file)
    if (bytes.length > largestFile) throw invalidParameter('secrets', tooLarge)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof Refused) throw error
    // The file name is not repeated, because an operator may type a secret in its place.
    throw invalidParameter('secrets', unreadable)
  }
}

/** Reads one byte more than allowed at most, because some files have no end. */
function readSome(file: string): Buffer {
  const descriptor = file === '-' ? 0 : openSync(file, 'r')
  const bytes = Buffer.alloc(largestFile + 1)
  let length = 0
  try {
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor)
  }
  return bytes.subarray(0, length)
}

const unreadable: LocalizedText = {
  tr: 'UTF-8 ile yazılmış, okunabilen bir dosya olmalıdır; her satırında AD=değer bulunur. Standart girdi için - yazın.',
  en: 'Must be a readable file in UTF-8 with lines of the form NAME=value. Use - for the standard input.',
}

const tooLarge: LocalizedText = {
  tr: 'Dosya 64 KiB’den büyük.',
  en: 'The file is larger than 64 KiB.',
}

function missed(names: readonly string[]): LocalizedText {
  const lines = names.map((name) => `${name}=…`).join(', ')
  return { tr: `Dosyada eksik olanlar: ${lines}.`, en: `The file does not contain: ${lines}.` }
}

function unknownNames(names: readonly string[]): LocalizedText {
  const all = names.join(', ')
  return {
    tr: `Dosyada bu bağlayıcının tanımadığı adlar var. Geçerli adlar: ${all}.`,
    en: `The file contains names that this connector does not know. Valid names: ${all}.`,
  }
}

export function sealSecrets(
  services: Pick<Services, 'keyring' | 'random'>,
  ownedId: OwnedId,
  secrets: PosSecrets,
): SealedValue {
  return posSeals(services.keyring).seal(JSON.stringify(secrets), ownerOf(ownedId), services.random)
}

export function openSecrets(
  { keyring }: Pick<Services, 'keyring'>,
  { secrets, secretsKeyId, ...ownedId }: SealedSecrets,
): PosSecrets {
  return JSON.parse(posSeals(keyring).open({ bytes: secrets, keyId: secretsKeyId }, ownerOf(ownedId)))
}

/** Secrets of a POS; undefined if this program does not have the secret that sealed them. */
export function openSecretsIfKeyKnown(
  services: Pick<Services, 'keyring'>,
  sealed: SealedSecrets,
): PosSecrets | undefined {
  try {
    return openSecrets(services, sealed)
  } catch {
    return undefined
  }
}

/** Records the sealing key at the start of the service. */
export function recordSealingKey({ sql, keyring }: Pick<Services, 'sql' | 'keyring'>): Promise<void> {
  return updateServiceSealingKey(sql, posSeals(keyring).keyId)
}

/** Seals only if the service can open the result, because a command may have another installation secret. */
export async function sealForService(
  services: Pick<Services, 'sql' | 'keyring' | 'random'>,
  ownedId: OwnedId,
  secrets: PosSecrets,
): Promise<SealedValue> {
  const ofService = await serviceSealingKey(services.sql)
  if (ofService !== null && ofService !== posSeals(services.keyring).keyId) throw new Error(otherSecret)
  return sealSecrets(services, ownedId, secrets)
}

/**
 * Throws unless the command knows the service's sealing key, so that the service can open what the command
 * reseals.
 */
export async function assertSameSecretAsService({
  sql,
  keyring,
}: Pick<Services, 'sql' | 'keyring'>): Promise<void> {
  const ofService = await serviceSealingKey(sql)
  if (ofService !== null && !posSeals(keyring).has(ofService)) throw new Error(otherSecret)
}

const otherSecret =
  'VEZNE_SECRET of this command differs from that of the service at its last start. Run the command with the settings of the service.'

export function posSeals(keyring: Keyring): Sealer {
  const purpose = 'pos secrets'
  return new Sealer(keyring.keysFor(purpose), purpose)
}

function ownerOf({ merchantId, id }: OwnedId): string {
  return `pos ${merchantId} ${id}`
}
