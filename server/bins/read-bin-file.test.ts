import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UnreadableFile } from '../../kit/text/file-lines.ts'
import { longIt } from '../../testing/harness/tier.ts'
import type { CardKind } from './card.ts'
import type { BinFile, ReadBinFileOptions } from './read-bin-file.ts'
import { readBinFile } from './read-bin-file.ts'

const header = 'bin_number,bank_code,bank_name,card_brand,card_type,card_family,card_segment,country,prepaid'

/** Splits bytes into chunks of a size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

function read(content: string | Buffer, options: ReadBinFileOptions = {}, size = 65_536): Promise<BinFile> {
  return readBinFile(inPieces(Buffer.isBuffer(content) ? content : Buffer.from(content), size), options)
}

function rowsOf({ rows }: BinFile): [number, CardKind][] {
  return [...rows]
}

/** Kind of the only row of a file with these columns and values. */
async function kindOf(columns: string, values: string): Promise<CardKind> {
  const file = await read(`${columns}\n${values}\n`)
  assert.deepEqual(file.refused, [], values)
  const [[, kind] = []] = rowsOf(file)
  assert.ok(kind)
  return kind
}

/** Reason for which the only row is refused. */
async function refusalOf(columns: string, values: string): Promise<string> {
  const { refused, refusedCount, rows } = await read(`${columns}\n${values}\n`)
  assert.deepEqual([refusedCount, rows.size, refused[0]?.line], [1, 0, 2], values)
  return refused[0]?.reason ?? ''
}

const unreadable = (content: string | Buffer, words: RegExp, options: ReadBinFileOptions = {}) =>
  assert.rejects(read(content, options), (error) => {
    assert.ok(error instanceof UnreadableFile, String(error))
    assert.match(error.message, words)
    return true
  })

const garanti: CardKind = {
  bankCode: 62,
  bankName: 'Garanti BBVA',
  brand: 'mastercard',
  type: 'credit',
  family: 'bonus',
  segment: 'personal',
  country: 'TR',
  prepaid: false,
}

describe('the format of a BIN file', () => {
  const lines = [header, '540036,0062,Garanti BBVA,mastercard,credit,bonus,personal,TR,no']

  it('accepts both separators, both line endings, a byte order mark, and a missing last line ending', async () => {
    const text = lines.join('\n')
    const forms = [text, `${text}\n`, `\ufeff${text}`, text.replaceAll(',', ';'), `${lines.join('\r\n')}\r\n`]
    for (const form of forms) assert.deepEqual(rowsOf(await read(form)), [[540036, garanti]], form)
  })

  it('can be read in chunks of any size, even if they split a letter, a byte order mark or a line ending', async () => {
    const text = `\ufeff${header}\r\n\r\n454359,64,"İş ""Bankası""",visa,credit,maximum,,,\r\n545103,67,Yapı Kredi,mc,kredi kartı,world,,,`
    const whole = rowsOf(await read(text))
    assert.equal(whole[0]?.[1]?.bankName, 'İş "Bankası"')
    for (const size of [1, 2, 3, 5, 7, 64]) assert.deepEqual(rowsOf(await read(text, {}, size)), whole)
  })

  it('allows columns in any order and case, with short names too', async () => {
    const kind = await kindOf(
      'Prepaid;TYPE;Bank Name;brand;BIN;Family;Segment;Country',
      'no;credit;X;visa;540036;;;de',
    )
    assert.deepEqual(kind, {
      ...garanti,
      bankCode: 0,
      bankName: 'X',
      brand: 'visa',
      family: null,
      country: 'DE',
    })
  })

  it('allows Turkish column names, and skips a spreadsheet’s separator line', async () => {
    const turkish =
      'BIN No;Banka Kodu;BANKA ADI;Kart Markası;Kart Türü;Kart Ailesi;Kart Segmenti;Ülke;Ön Ödemeli'
    const row = '540036;62;Garanti;mastercard;kredi kartı;Bonus;ticari;TR;hayır'
    for (const before of ['', 'sep=;\n', 'SEP=;\r\n']) {
      const file = await read(`${before}${turkish}\n${row}\n;\n540037;1\n`)
      assert.deepEqual(file.ignoredColumns, [])
      assert.deepEqual(rowsOf(file)[0]?.[1]?.segment, 'commercial')
      assert.equal(file.refused[0]?.line, before === '' ? 4 : 5)
    }
  })

  it('needs a separator in the first line', async () => {
    await unreadable('bin_number\tcard_brand\n1\t2\n', /neither ; nor ,/)
    await unreadable('40430800\n', /neither ; nor ,/)
  })

  it('allows unknown columns, which are ignored and reported', async () => {
    const file = await read('bin,bank_code,brand,type,Not,\n540036,62,visa,credit,"a\nb, ""c""",x\n')
    assert.deepEqual([file.ignoredColumns, file.rows.size], [['Not', 'number 6'], 1])
  })

  it('needs each required column exactly once; all errors are reported together', async () => {
    await unreadable(
      'bank_code,brand,BRAND\n1,2,3\n',
      /card_brand appears twice.*bin_number is missing.*card_type is missing/s,
    )
    await unreadable('bin,bin_number,bank_code,brand,type\n', /bin_number appears twice/)
    await unreadable('bin,brand,type\n540036,visa,credit\n', /bank_code and bank_name are both missing/)
    await unreadable('540036,62,visa,credit\n', /first line must name the columns: bin_number, bank_code/)
  })

  it('refuses an empty file; a file with only a header has no rows', async () => {
    for (const empty of ['', '\ufeff', '\n\n', ' \r\n']) await unreadable(empty, /The file is empty/)
    assert.equal((await read(`${header}\n`)).rows.size, 0)
  })
})

describe('encodings', () => {
  const text = 'bin,bank_name,brand,type\n540036,ok,visa,credit\n415792,Şekerbank ığüşöçİ,visa,kredi kartı\n'

  it('Turkish letters are read and composed', async () => {
    const kind = await kindOf('bin,bank_name,brand,type', '540036,S\u0327ekerbank I\u0307,visa,credit')
    assert.equal(kind.bankName, 'Şekerbank İ')
  })

  it('a windows-1254 file is read if that encoding is given, and otherwise refused with the line', async () => {
    const codes: Record<string, number> = {
      Ş: 0xde,
      ı: 0xfd,
      ğ: 0xf0,
      ü: 0xfc,
      ş: 0xfe,
      ö: 0xf6,
      ç: 0xe7,
      İ: 0xdd,
    }
    const bytes = Buffer.from([...text].map((letter) => codes[letter] ?? letter.charCodeAt(0)))
    const file = await read(bytes, { encoding: 'windows-1254' })
    assert.equal(rowsOf(file)[1]?.[1]?.bankName, 'Şekerbank ığüşöçİ')
    await unreadable(bytes, /Line 3 is not in UTF-8.*CSV UTF-8.*--encoding windows-1254/)
  })

  it('UTF-16, a workbook and a compressed file are recognized and refused', async () => {
    await unreadable(Buffer.from(`\ufeff${text}`, 'utf16le'), /UTF-16.*CSV UTF-8/)
    await unreadable(Buffer.from(text, 'utf16le'), /UTF-16/)
    await unreadable(Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), /UTF-16/)
    await unreadable(Buffer.from('PK\u0003\u0004…'), /workbook/)
    await unreadable(Buffer.from([0x1f, 0x8b, 8, 0, 0]), /compressed/)
    await unreadable(`\ufeff${text}`, /without --encoding/, { encoding: 'windows-1254' })
  })

  it('an invalid byte far into the file is reported with its line', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${10_000_000 + index},Bank,visa,credit`)
    const bytes = Buffer.from(`bin,bank_name,brand,type\n${rows.join('\n')}\n`)
    bytes[bytes.length - 10] = 0xff
    await assert.rejects(read(bytes, {}, 1000), /Line 20001 is not in UTF-8/)
  })
})

describe('lines', () => {
  it('are counted as in the file, including blank lines and line breaks in quotes', async () => {
    for (const end of ['\n', '\r\n']) {
      const lines = [
        '',
        'bin,bank_name,brand,type,note',
        '',
        '540036,A,visa,credit,"x',
        '',
        'y"',
        ' ',
        ',,,,',
      ]
      const bad = ['bad,A,visa,credit,', '540036,A,visa,credit,', '415792,A,visa,"cre', 'dit",']
      const { refused, rows } = await read([...lines, ...bad].join(end))
      assert.equal(rows.size, 1)
      assert.deepEqual(refused, [
        { line: 9, reason: 'bin_number must be 6 to 8 digits and must not begin with 0' },
        { line: 10, reason: 'has the same bin_number as line 4' },
        { line: 11, reason: 'card_type contains an invisible character or a line break' },
      ])
    }
  })

  it('a row with too few or too many values is refused with its line', async () => {
    const { refused } = await read('bin,bank_name,brand,type\n540036,A,visa\n540036,A,visa,credit,\n')
    assert.deepEqual(refused, [
      { line: 2, reason: 'has 3 values, but there are 4 columns' },
      { line: 3, reason: 'has 5 values, but there are 4 columns' },
    ])
  })

  it('an unclosed or misplaced quote is reported with the line where it opens', async () => {
    const good = 'bin,bank_name,brand,type\n540036,A,visa,credit\n'
    await unreadable(
      `${good}415792,"A,visa,credit\n${'435508,B,visa,credit\n'.repeat(5)}`,
      /opens on line 3 is never closed/,
    )
    await unreadable(
      `${good}415792,"A,visa,credit\n${'435508,B,visa,credit\n'.repeat(5000)}`,
      /begins on line 3.*quote/,
    )
    await unreadable(`${good}415792,"A"B,visa,credit\n`, /line 3 a closing quote is followed by text/)
    await unreadable(`${good}\n\n\n415792,"A\n\n", visa,"credit\n`, /opens on line 6 is never closed/)
    await unreadable(`${good}415792,A "B",visa,credit\n`, /line 3 a value contains a quote/)
  })

  it('an endless line is not buffered, and a carriage return alone is not a line ending', async () => {
    await unreadable(`bin,bank_name,brand,type\n540036,${'x'.repeat(100_000)}`, /Line 2 is longer than/)
    await unreadable('bin,bank_name,brand,type\r540036,A,visa,credit\r', /Line 1 contains a carriage return/)
  })

  it('the first 100 refused rows are reported one by one', async () => {
    const bad = await read(`bin,bank_name,brand,type\n${'x,A,visa,credit\n'.repeat(250)}`)
    assert.deepEqual([bad.refused.length, bad.refusedCount], [100, 250])
  })

  longIt('more than 1 000 000 rows are refused', async () => {
    const many = Buffer.from(`bin,bank_name,brand,type\n${'x,A,visa,credit\n'.repeat(1_000_001)}`)
    await unreadable(many, /more than 1000000 rows/)
  })

  longIt('progress is reported every 50 000 rows', async () => {
    const reported: number[] = []
    const text = `bin,bank_name,brand,type\n${'x,A,visa,credit\n'.repeat(100_001)}`
    await read(text, { onProgress: (rows) => reported.push(rows) })
    assert.deepEqual(reported, [50_000, 100_000])
  })
})

describe('values', () => {
  const columns = 'bin,bank_code,bank_name,brand,type,family,segment,country,prepaid'
  const row = (change: Record<string, string>) => {
    const values = {
      bin: '540036',
      bank_code: '62',
      bank_name: '',
      brand: 'visa',
      type: 'credit',
      family: '',
    }
    const all: Record<string, string> = { ...values, segment: '', country: '', prepaid: '', ...change }
    return columns
      .split(',')
      .map((name) => `"${all[name]}"`)
      .join()
  }

  it('brands, types, segments and yes/no are recognized in their usual spellings in both languages', async () => {
    const spellings: [column: string, texts: string[], field: keyof CardKind, value: unknown][] = [
      ['brand', ['VISA', 'Visa Electron'], 'brand', 'visa'],
      ['brand', ['master', 'MasterCard', 'MASTER_CARD', 'Master Card', 'mc'], 'brand', 'mastercard'],
      ['brand', ['amex', 'American Express', 'AMERICAN_EXPRESS'], 'brand', 'amex'],
      ['brand', ['troy', 'TROY'], 'brand', 'troy'],
      ['brand', ['Diners Club', 'DINERS'], 'brand', 'diners'],
      ['brand', ['UNION_PAY', 'UnionPay'], 'brand', 'unionpay'],
      ['type', ['credit', 'CreditCard', 'CREDIT_CARD', 'kredi', 'KREDİ KARTI', 'charge'], 'type', 'credit'],
      ['type', ['debit', 'DEBIT_CARD', 'banka kartı', 'BANKA KARTI', 'bankamatik'], 'type', 'debit'],
      ['type', ['prepaid', 'PREPAID_CARD', 'Ön Ödemeli', 'ÖN ÖDEMELİ KART'], 'prepaid', true],
      ['segment', ['', 'bireysel', 'CONSUMER', 'personal'], 'segment', 'personal'],
      ['segment', ['ticari', 'TİCARİ', 'business', 'Corporate', 'kurumsal'], 'segment', 'commercial'],
      ['family', ['Bonus', 'BONUS CARD'], 'family', 'bonus'],
      ['family', ['SAĞLAM KART', 'saglam-kart'], 'family', 'saglam-kart'],
      ['family', ['', 'none', 'Yok', '-'], 'family', null],
      ['country', ['', 'tr', 'TR'], 'country', 'TR'],
    ]
    for (const [column, texts, field, value] of spellings) {
      for (const text of texts) {
        assert.equal((await kindOf(columns, row({ [column]: text })))[field], value, text)
      }
    }
    for (const [text, value] of [
      ['evet', true],
      ['YES', true],
      ['1', true],
      ['hayır', false],
      ['HAYIR', false],
      ['false', false],
    ] as const) {
      assert.equal((await kindOf(columns, row({ type: 'debit', prepaid: text }))).prepaid, value, text)
    }
    const prepaid = await kindOf(columns, row({ type: 'ön ödemeli' }))
    assert.deepEqual([prepaid.type, prepaid.prepaid], ['debit', true])
  })

  it('a bank is given by its code, with or without leading zeros, or by its name alone', async () => {
    for (const code of ['62', '0062', '00062']) {
      assert.equal((await kindOf(columns, row({ bank_code: code }))).bankName, 'Garanti BBVA')
    }
    assert.equal((await kindOf(columns, row({ bank_name: 'Garanti' }))).bankName, 'Garanti')
    for (const code of ['', '0']) {
      assert.equal((await kindOf(columns, row({ bank_code: code, bank_name: 'Papara' }))).bankCode, 0)
    }
    assert.equal((await kindOf(columns, row({ bank_code: '9999', bank_name: 'X' }))).bankCode, 9999)
  })

  it('an invalid value is refused with a reason that helps to correct it', async () => {
    const faults: [Record<string, string>, RegExp][] = [
      [{ bin: '54003' }, /6 to 8 digits/],
      [{ bin: '540036000' }, /6 to 8 digits/],
      [{ bin: '054003' }, /must not begin with 0/],
      [{ bin: '5400 36' }, /6 to 8 digits/],
      [{ bin: '٥٤٠٠٣٦' }, /6 to 8 digits/],
      [{ bin: '' }, /6 to 8 digits/],
      [{ bank_code: '10000' }, /bank_code must be a number from 1 to 9999/],
      [{ bank_code: '6x' }, /bank_code must be a number/],
      [{ bank_code: '-1' }, /bank_code must be a number/],
      [{ bank_code: '9999' }, /bank_name is required: the bank code 9999 is unknown/],
      [{ bank_code: '' }, /both empty/],
      [{ bank_name: 'x'.repeat(101) }, /longer than 100/],
      [{ bank_name: 'a\u0007b' }, /invisible character/],
      [{ bank_name: 'a\u0000b' }, /invisible character/],
      [{ brand: 'viza' }, /card_brand must be one of visa, mastercard.*not “viza”/],
      [{ brand: '' }, /card_brand is empty/],
      [{ type: 'gold' }, /card_type must be one of credit, debit, prepaid/],
      [{ family: 'Bonuss' }, /card_family “Bonuss” is unknown; it must be one of Bonus, World.*Sağlam Kart/],
      [{ segment: 'x' }, /card_segment must be one of personal, commercial/],
      [{ country: 'XX' }, /country must be two letters/],
      [{ country: 'Türkiye' }, /country must be two letters/],
      [{ prepaid: 'maybe' }, /prepaid must be one of yes, no/],
      [{ prepaid: 'yes' }, /prepaid is yes, but card_type is credit/],
      [{ type: 'prepaid', prepaid: 'no' }, /prepaid is no, but card_type is prepaid/],
    ]
    for (const [change, words] of faults) {
      assert.match(await refusalOf(columns, row(change)), words, JSON.stringify(change))
    }
  })

  it('a card number in any column is never repeated', async () => {
    for (const column of ['bin', 'bank_code', 'brand', 'type', 'family', 'segment', 'country', 'prepaid']) {
      const reason = await refusalOf(columns, row({ [column]: '5400360000000003' }))
      assert.doesNotMatch(reason, /540036/, column)
    }
  })

  it('rows with the same meaning are one kind, in any spelling', async () => {
    const text =
      'bin,bank_code,brand,type\n540036,62,visa,credit\n540037,0062,VISA,kredi\n540038,62, Visa ,Credit\n'
    const { rows } = await read(text)
    assert.deepEqual([rows.size, new Set(rows.values()).size], [3, 1])
  })

  longIt('a file with too many kinds of cards is refused', async () => {
    const lines = Array.from({ length: 50_001 }, (_, index) => `${10_000_000 + index},${index} A,visa,credit`)
    await unreadable(`bin,bank_name,brand,type\n${lines.join('\n')}`, /more than 50000 kinds/)
  })
})
