import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Static } from 'typebox'
import type { Print } from '../kit/command-line/command.ts'
import { command } from '../kit/command-line/command.ts'
import { isCalendarDay } from '../kit/input/day-or-instant.ts'
import { filePathField, objectSchema, optional, parsedTextField } from '../kit/input/fields.ts'
import { invalidParameter } from '../kit/input/refusals.ts'
import type { LocalizedText } from '../kit/text/locale.ts'
import { createSandboxTables, statementOf } from '../sandbox/index.ts'
import { openSecretsOfPos, posArgument, requirePos } from './pos/index.ts'
import type { Services } from './services.ts'

const SandboxStatement = objectSchema({
  ...posArgument,
  day: parsedTextField<string>('Day of the bank, for example 2026-11-15. It ends at midnight in Istanbul.', {
    max: 10,
    parse: (day) => (isCalendarDay(day) ? { value: day } : notDay),
  }),
  file: optional(filePathField('File to write. Default: the standard output.')),
})

/** Secret that identifies a POS at the sandbox, by connector. */
const nameAtBank: Readonly<Record<string, string>> = {
  sandbox: 'terminal',
  'sandbox-nestpay': 'client_id',
}

export const sandboxStatementCommand = command({
  input: SandboxStatement,
  run: writeStatement,
})

async function writeStatement(
  services: Services,
  { pos, day, file }: Static<typeof SandboxStatement>,
  print: Print,
): Promise<void> {
  const { sql, clock } = services
  const terminal = await terminalOf(services, pos)
  await createSandboxTables(sql)
  const pieces = statementOf(sql, { terminal, day, now: clock.now() })
  if (file !== undefined) return writeWhole(services, file, pieces)
  for await (const piece of pieces) print(piece.replace(/\n$/, ''))
}

/** Name of the POS at the bank. */
async function terminalOf(services: Services, id: number): Promise<string> {
  const pos = await requirePos(services, id)
  const secret = nameAtBank[pos.connector]
  if (secret === undefined) throw invalidParameter('pos', notSandbox)
  const secrets = await openSecretsOfPos(services, pos)
  const terminal = secrets?.[secret]
  if (terminal !== undefined) return terminal
  throw new Error('The secrets of this POS cannot be opened with VEZNE_SECRET or VEZNE_SECRET_PREVIOUS.')
}

/** Guarantee: the file appears only when it is complete. */
async function writeWhole({ random }: Services, file: string, pieces: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${random.bytes(6).toString('hex')}`
  try {
    await pipeline(Readable.from(pieces), createWriteStream(draft, { flags: 'wx' }))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    const isOfFile = typeof (error as { syscall?: unknown }).syscall === 'string'
    throw isOfFile ? invalidParameter('file', notWritable) : error
  }
}

const notDay: LocalizedText = {
  tr: 'Bir gün olmalıdır, örneğin 2026-11-15.',
  en: 'Must be a day, for example 2026-11-15.',
}

const notSandbox: LocalizedText = {
  tr: 'Bu POS sandbox bankasında değil; ekstresini kendi bankası verir.',
  en: 'This POS is not at the sandbox bank; its own bank provides its statement.',
}

const notWritable: LocalizedText = {
  tr: 'Bu adda bir dosya yazılamadı.',
  en: 'A file with this name could not be written.',
}
