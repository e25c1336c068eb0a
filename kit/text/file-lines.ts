import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'

export const fileEncodings = ['utf-8', 'windows-1254'] as const

export type FileEncoding = (typeof fileEncodings)[number]

/** A file that cannot be read as a table. The message is for the person who supplied the file. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Far longer than any row of a table that we read. */
const longestLineBytes = 16_384

const lineBreak = 0x0a
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])

/** First bytes of other file types. */
const strangers: readonly (readonly [bytes: number[], sentence: string])[] = [
  [[0xff, 0xfe], 'The file is in UTF-16. Save it as “CSV UTF-8”.'],
  [[0xfe, 0xff], 'The file is in UTF-16. Save it as “CSV UTF-8”.'],
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a workbook or an archive. Save the sheet as “CSV UTF-8”.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'The file is a workbook. Save the sheet as “CSV UTF-8”.'],
  [[0x1f, 0x8b], 'The file is compressed. Unpack it first.'],
]

/** Expected kind of file, for error messages. */
export interface FileKindAndEncoding {
  /** Noun for the file: `table of BINs`. */
  what: string
  encoding?: FileEncoding
  /** Alternative to suggest if the file is not UTF-8. */
  orElse?: string
}

/** The bytes of a file. Guarantee: if it cannot be read, an UnreadableFile gives the reason. */
export async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') throw new UnreadableFile(`The file ${file} does not exist.`)
    if (code === 'EACCES') throw new UnreadableFile(`This user has no permission to read the file ${file}.`)
    if (code === 'EISDIR') throw new UnreadableFile(`${file} is a folder, not a file.`)
    throw error
  }
}

/**
 * The text of a file in chunks of whole lines, each ended by `\n`. Guarantee: bytes that are invalid in the
 * encoding are reported with their line number, and no long line is collected in memory.
 */
export async function* wholeLineChunks(
  bytes: AsyncIterable<Buffer>,
  expected: FileKindAndEncoding,
): AsyncGenerator<string, undefined> {
  const { what, encoding = 'utf-8' } = expected
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  let isBeginning = true
  for await (const chunk of bytes) {
    const joined = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // Length of the longest signature.
    if (isBeginning && joined.length < 4) {
      rest = joined
      continue
    }
    const whole = isBeginning ? withoutMark(joined, encoding) : joined
    isBeginning = false
    const end = whole.lastIndexOf(lineBreak) + 1
    rest = whole.subarray(end)
    if (end > 0) yield textOf(whole.subarray(0, end), expected, line)
    for (let at = whole.indexOf(lineBreak); at !== -1; at = whole.indexOf(lineBreak, at + 1)) line += 1
    if (rest.length > longestLineBytes) {
      throw new UnreadableFile(
        `Line ${line} is longer than ${longestLineBytes} bytes: this is not a ${what}.`,
      )
    }
  }
  const last = isBeginning ? withoutMark(rest, encoding) : rest
  if (last.length > 0) yield textOf(last, expected, line)
}

function withoutMark(bytes: Buffer, encoding: FileEncoding): Buffer {
  for (const [beginning, sentence] of strangers) {
    if (beginning.every((byte, index) => bytes[index] === byte)) throw new UnreadableFile(sentence)
  }
  // Headers are ASCII, so a zero among the first bytes is half of a UTF-16 character.
  if (bytes.subarray(0, 4).includes(0)) {
    throw new UnreadableFile('The file is in UTF-16, or is not a text file. Save it as “CSV UTF-8”.')
  }
  if (!bytes.subarray(0, utf8Mark.length).equals(utf8Mark)) return bytes
  if (encoding !== 'utf-8') {
    throw new UnreadableFile(
      'The file begins with a UTF-8 byte order mark. Run the command without --encoding.',
    )
  }
  return bytes.subarray(utf8Mark.length)
}

function textOf(
  bytes: Buffer,
  { encoding = 'utf-8', orElse }: FileKindAndEncoding,
  firstLine: number,
): string {
  if (encoding === 'utf-8' && !isUtf8(bytes)) {
    const line = lineWhere(bytes, firstLine, (each) => !isUtf8(each))
    const advice = ['Save the file as “CSV UTF-8”', ...(orElse ? [orElse] : [])].join(', or ')
    throw new UnreadableFile(`Line ${line} is not in UTF-8. ${advice}.`)
  }
  const text = encoding === 'utf-8' ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes)
  if (!text.includes('\r')) return text
  const plain = text.replaceAll('\r\n', '\n')
  // Programs disagree about a lone carriage return, so later line numbers would be unreliable.
  if (plain.includes('\r')) {
    const line = lineWhere(bytes, firstLine, (each) => /\r(?!\n)/.test(each.toString('latin1')))
    throw new UnreadableFile(
      `Line ${line} contains a carriage return inside the line. Save the file with ordinary line endings.`,
    )
  }
  return plain
}

function lineWhere(bytes: Buffer, firstLine: number, isIt: (line: Buffer) => boolean): number {
  let line = firstLine
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(lineBreak, start)
    const next = end === -1 ? bytes.length : end + 1
    if (isIt(bytes.subarray(start, next))) return line
    start = next
  }
  throw new Error('the line in question was not found')
}
