import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UnreadableFile } from '../../kit/text/file-lines.ts'
import { statementHeader } from '../../testing/seed/bank-statement.ts'
import { readStatement } from './read-statement.ts'
import type { Statement } from './statement.ts'
import type { StatementLine } from './statement-lines.ts'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

function read(content: string | Buffer, day?: string, size = 65_536): Promise<Statement> {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content)
  return readStatement(inPieces(bytes, size), { day, maxForeignLines: 2 })
}

const linesOf = ({ lines }: Statement): StatementLine[] => [...lines.batches(1)].flat(2)

const taken = '2026-11-15,T1,10000000000042ABCDEF,charge,,100.00,TRY,taken,2026-11-15T12:00:00+03:00'
const refund =
  '2026-11-15,T2,10000000000007000Z01,refund,10000000000099,0.05,EUR,done,2026-11-15T12:00:01+03:00'
const statement = [statementHeader, taken, refund].join('\n')

describe('a statement', () => {
  it('is read with all values of its lines, grouped by charge, in the order of the file', async () => {
    const second = taken.replace('T1', 'T3').replace('taken', 'undone').replace('100.00', '999999999.99')
    const { day, lineCount, lines, foreignLines } = await read(`${statement}\n${second}\n`)
    assert.deepEqual([day, lineCount, lines.size, foreignLines], ['2026-11-15', 3, 3, []])
    const whole = [...lines.batches(10)].flat().map((ofOne) => ofOne.map(({ mark: _, ...line }) => line))
    const charge = { terminal: 'T1', reference: '10000000000042ABCDEF', subject: 'charge', refundId: null }
    assert.deepEqual(whole, [
      [
        {
          ...{ line: 3, terminal: 'T2', reference: '10000000000007000Z01', subject: 'refund' },
          ...{ refundId: 10_000_000_000_099, amountMinor: 5, currency: 'EUR', state: 'done' },
        },
      ],
      [
        { line: 2, ...charge, amountMinor: 10_000, currency: 'TRY', state: 'taken' },
        {
          ...{ line: 4, ...charge, terminal: 'T3' },
          ...{ amountMinor: 99_999_999_999, currency: 'TRY', state: 'undone' },
        },
      ],
    ])
    assert.ok(lines.has('10000000000042ABCDEF') && lines.has('10000000000007000Z01'))
    for (const other of ['10000000000042ABCDEG', '10000000000041ABCDEF', '10000000000042', 'x'])
      assert.ok(!lines.has(other), other)
  })

  it('has the same lines with a byte order mark, either line ending, quotes, blank lines and any chunk size', async () => {
    const whole = linesOf(await read(statement))
    const quoted = statement.replaceAll('100.00', '"100.00"')
    for (const form of [`\ufeff${statement}\n`, statement.replaceAll('\n', '\r\n'), quoted]) {
      for (const size of [1, 7, 65_536]) assert.deepEqual(linesOf(await read(form, undefined, size)), whole)
    }
    const spaced = linesOf(await read(statement.replace(refund, `\n${refund}`)))
    assert.deepEqual(
      spaced.map(({ line }) => line),
      [4, 2],
    )
  })

  it('without lines is of the requested day, if any', async () => {
    assert.equal((await read(`${statementHeader}\n`)).day, undefined)
    const { day, lineCount } = await read(statementHeader, '2026-11-15')
    assert.deepEqual([day, lineCount], ['2026-11-15', 0])
  })

  it('keeps only the first lines whose reference cannot be ours', async () => {
    const foreignLines = ['10000000000042abcdef', '1', '=A1', '\u0000'].map((reference) =>
      taken.replace('10000000000042ABCDEF', reference),
    )
    const read4 = await read([statement, ...foreignLines].join('\n'))
    assert.equal(read4.lineCount, 6)
    assert.equal(read4.lines.size, 2)
    assert.deepEqual(
      read4.foreignLines.map(({ line, reference }) => [line, reference]),
      [
        [4, '10000000000042abcdef'],
        [5, '1'],
      ],
    )
  })

  it('distinguishes identical lines from similar lines', async () => {
    const later = refund.replace('12:00:01', '12:00:02')
    const lines = linesOf(await read([statementHeader, refund, later, refund].join('\n')))
    const [first, second, third] = lines.map(({ mark }) => mark)
    assert.ok(first !== second && first === third)
  })

  it('keeps any reference of ours and any amount without loss', async () => {
    const endings = ['000000', '00000Z', 'ZZZZZZ', '100000', 'VVVVVV']
    const rows = endings.map((ending) => taken.replace('10000000000042ABCDEF', `99999999999999${ending}`))
    const lines = linesOf(await read([statementHeader, ...rows].join('\n')))
    assert.deepEqual(
      lines.map(({ reference }) => reference.slice(14)),
      endings.toSorted(),
    )
  })
})

describe('an invalid statement is refused, and the error names the line', () => {
  const wrong = (what: string, content: string | Buffer, words: RegExp, day?: string) =>
    it(what, async () => {
      await assert.rejects(read(content, day), (error) => {
        assert.ok(error instanceof UnreadableFile, String(error))
        assert.match(error.message, words)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
        assert.doesNotMatch(error.message, /[\u0000-\u0009\u000b-\u001f]|4155650100416111/)
        return true
      })
    })
  const line = (from: string, to: string) => [statementHeader, taken, refund.replace(from, to)].join('\n')

  wrong(
    'an empty file',
    '',
    /^The file is empty\. A statement without lines must contain the line day,terminal,/,
  )
  wrong(
    'another first line',
    statement.replace('part', 'teil'),
    /^Line 1 is wrong: a statement must begin with the line day,terminal,/,
  )
  wrong(
    'columns in another order',
    statement.replace('day,terminal', 'terminal,day'),
    /^Line 1 is wrong: a statement must begin/,
  )
  wrong(
    'semicolons',
    statement.replaceAll(',', ';'),
    /^Line 1 is wrong: a statement must begin with the line day,terminal,/,
  )
  wrong('a value too few', line(',EUR', ''), /^Line 3 has 8 values, but there are 9 columns\.$/)
  wrong('a value too many', `${statement},`, /^Line 3 has 10 values/)
  wrong('an invalid day', line('2026-11-15,', '2026-02-30,'), /^Line 3 has the day “2026-02-30”/)
  wrong(
    'two days',
    line('2026-11-15,', '2026-11-16,'),
    /^Line 3 is of 2026-11-16, but the lines before it are of 2026-11-15\.$/,
  )
  wrong(
    'another day than was said',
    statement,
    /^Line 2 is of 2026-11-15, but --day is 2026-11-14\.$/,
    '2026-11-14',
  )
  wrong('no reference', line('10000000000007000Z01', ' '), /^Line 3 has the reference “ ”/)
  wrong(
    'an unknown type',
    line('refund', 'chargeback'),
    /^Line 3 has the type “chargeback”; it must be charge or refund\.$/,
  )
  wrong(
    'a property name of objects as a type',
    line('refund', 'constructor'),
    /^Line 3 has the type “constructor”/,
  )
  wrong(
    'a state of the other type',
    line('done', 'taken'),
    /^Line 3 has the state “taken”; it must be one of done/,
  )
  wrong(
    'a charge with a part',
    line('refund', 'charge'),
    /^Line 3 has the part “.*”; it must be empty, because/,
  )
  for (const amount of ['1,00', '1', '1.0', '-1.00', '1e3', '1000000000.00', '', ' 1.00', '0x1.00', '１.00'])
    wrong(`the amount “${amount}”`, line('0.05', `"${amount}"`), /^Line 3 has the amount “/)
  wrong('a currency in lower case', line('EUR', 'eur'), /^Line 3 has the currency “eur”/)
  wrong(
    'a text that is too long',
    line('T2', 'T'.repeat(101)),
    /^Line 3 has the terminal “T{40}…”; .* 100 characters/,
  )
  wrong('a card number in a wrong place', line('EUR', '4155650100416111'), /“\[number redacted\]”/)
  wrong('terminal control characters', line('EUR', '\u001b[31m'), /^Line 3 has the currency “·\[31m”/)
  wrong('a quote that is not closed', line('T2', '"T2'), /^The quote that opens on line 3 is never closed\.$/)
  wrong(
    'a line that is too long',
    line('T2', 'T'.repeat(5_000)),
    /^The row that begins on line 3 is longer than/,
  )
  wrong(
    'a line without an end',
    line('T2', 'T'.repeat(70_000)),
    /^Line 3 is longer than 16384 bytes: this is not a statement/,
  )
  wrong(
    'letters that are no UTF-8',
    Buffer.concat([Buffer.from(`${statement}\n`), Buffer.from([0xc3, 0x28])]),
    /^Line 4 is not in UTF-8\. Save the file as “CSV UTF-8”\.$/,
  )
  wrong('UTF-16', Buffer.from(`\ufeff${statement}`, 'utf16le'), /UTF-16/)
  wrong('a workbook', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14]), /workbook or an archive/)
  wrong(
    'noise',
    Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 256)),
    /^The file is|^Line 1 /,
  )
})
