import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runVezne } from '../../testing/harness/command-line.ts'
import { longIt } from '../../testing/harness/tier.ts'
import type { ChargeOnBothSides } from '../../testing/seed/bank-day.ts'
import {
  chargesOfDay,
  newBankDay,
  newTestCharge,
  newTestModification,
  statementLineOf,
} from '../../testing/seed/bank-day.ts'
import type { TestStatementLine } from '../../testing/seed/bank-statement.ts'
import { statementText } from '../../testing/seed/bank-statement.ts'
import { seedReconciliationCharges } from '../../testing/seed/reconciliation.ts'
import { nextId, seed } from '../../testing/seed/seed.ts'
import { createMerchant } from '../merchants/index.ts'
import { posCredentials } from '../pos/pos.ts'
import { reconcile } from './reconcile.ts'
import type { CoveredPos } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-statement-'))
after(() => rmSync(folder, { recursive: true }))

let files = 0

function fileOf(content: string | Buffer): string {
  files += 1
  const path = join(folder, `${files}.csv`)
  writeFileSync(path, content)
  return path
}

const { services, merchant, database } = await testApi()
const { merchant: neighbour } = await createMerchant(services, { name: 'Komşu', live: false })
const env = { DATABASE_URL: database.url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
const run = (file: string, ...words: string[]) => runVezne(['reconcile', '--file', file, ...words], env)

async function newPos(name: string, merchantId = merchant.id): Promise<CoveredPos> {
  const pos = { merchantId, id: nextId(), name }
  await seed(services.sql, posCredentials, pos)
  return pos
}

interface PrintedBreak {
  kind: string
  reference: string
  line: number | null
  note: string | null
  pos_id: number | null
  payment_id: number | null
}

/** Parses the JSON output of the command: the breaks and remarks, and the sums. */
function readJsonReport(output: string): { entries: PrintedBreak[]; sums: Record<string, unknown> } {
  const objects = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  return { entries: objects.slice(0, -1), sums: objects.at(-1) ?? {} }
}

/** Bank lines of a charge with a seeded fault, and the breaks expected from it. */
function seeded(index: number, { charge, lines }: ChargeOnBothSides) {
  const [first, ...others] = lines
  if (!first) throw new Error('the bank has something of it')
  switch (index % 87) {
    case 3:
      return { has: [], breaks: lines.map(() => 'ours_only') }
    case 17:
      // With several refunds the line could match another refund by its amount.
      if (others.length > 1) break
      return { has: [{ ...first, amountMinor: first.amountMinor + 1 }, ...others], breaks: ['amount'] }
    case 31:
      return { has: [first, first, ...others], breaks: ['theirs_only'] }
    case 45: {
      if (first.state === 'done') break
      const state = first.state === 'undone' ? 'taken' : 'undone'
      return { has: [{ ...first, state }, ...others], breaks: ['state'] }
    }
    case 59: {
      const unasked = { reference: charge.reference, amountMinor: 77, state: 'done', part: 'someone’s' }
      return { has: [...lines, unasked], breaks: ['theirs_only'] }
    }
  }
  return { has: lines, breaks: [] }
}

longIt('every break seeded into ten thousand lines is found, and nothing else', async () => {
  const { day, at } = newBankDay()
  const pos = await newPos('Garanti sanal POS')
  const elsewhere = await newPos('Başka POS')
  const world = chargesOfDay(pos, 8_700, at)
  const lines: TestStatementLine[] = []
  const expected: string[] = []
  for (const [index, each] of world.entries()) {
    const { has, breaks } = seeded(index, each)
    lines.push(...has)
    expected.push(...breaks.map((kind) => `${kind} ${each.charge.reference}`))
  }
  for (let index = 0; index < 40; index++) {
    const reference = index % 2 === 0 ? `=SUM(A${index})` : `${nextId()}QQQQQQ`
    lines.push({ reference, amountMinor: 5_000, state: 'taken' })
    expected.push(`theirs_only ${reference.replace('=', "'=")}`)
  }
  const edges = [-1, 2, 24 * 60 - 2, 24 * 60 + 3].map((minutes) => newTestCharge(pos, at(minutes)))
  expected.push(...edges.map(({ reference }) => `near_edge ${reference}`))
  const quiet = [
    newTestCharge(pos, at(-30)),
    newTestCharge(elsewhere, at(600)),
    ...(['authorizing', 'reversing'] as const).map((state) =>
      newTestCharge(pos, at(600), { state, endedAt: null }),
    ),
    ...(['declined', 'reversed'] as const).map((state) => newTestCharge(pos, at(600), { state })),
  ]
  await seedReconciliationCharges(services.sql, [...world.map(({ charge }) => charge), ...edges, ...quiet])
  // Lines in arbitrary order, as a bank may write them.
  const shuffled = lines.toSorted((a, b) => (a.reference.slice(-3) < b.reference.slice(-3) ? -1 : 1))
  assert.ok(lines.length > 10_000)

  const { code, output } = await run(fileOf(statementText(day, shuffled)), '--format', 'json')
  const { entries, sums } = readJsonReport(output)
  const actual = entries.map(({ kind, reference }) => `${kind} ${reference}`)
  assert.deepEqual(actual.toSorted(), expected.toSorted())
  const counted = (kind: string) => entries.filter((each) => each.kind === kind).length
  const counts = ['ours_only', 'theirs_only', 'amount', 'state', 'near_edge'].map((kind) => [
    kind,
    counted(kind),
  ])
  assert.ok(counts.every(([, count]) => Number(count) > 3))
  const breaks = entries.length - counted('near_edge')
  assert.deepEqual(sums, {
    ...{ day, pos: [pos.id], lines: lines.length, breaks, other_day: 0, ...Object.fromEntries(counts) },
    matched: lines.length - counted('theirs_only') - counted('amount') - counted('state'),
    approvals: { verified: 0, differing: 0 },
  })
  assert.equal(code, 1)
  assert.match(output, new RegExp(`^Statement and our records differ: ${breaks} breaks\\.$`, 'm'))
})

describe('a correct statement', () => {
  it('exits with 0, shows the sums and changes nothing', async () => {
    const { day, at } = newBankDay()
    const pos = await newPos('Doğru POS')
    const world = chargesOfDay(pos, 40, at)
    await seedReconciliationCharges(
      services.sql,
      world.map(({ charge }) => charge),
    )
    const before = await contentOf(services.sql)
    const lines = world.flatMap((each) => each.lines)
    const { code, output } = await run(fileOf(statementText(day, lines)))
    assert.equal(
      output,
      [
        `Statement of ${day}, POS ${pos.id} Doğru POS`,
        '',
        `lines read      ${lines.length}`,
        `matched         ${lines.length}`,
        'ours only       0',
        'theirs only     0',
        'amount          0',
        'state           0',
        'near the edge   0',
        'of another day  0',
        'Statement and our records agree.',
      ].join('\n'),
    )
    assert.equal(code, 0)
    assert.equal(await contentOf(services.sql), before)
  })

  it('without lines is correct for a day without charges, and otherwise reports every charge as missing', async () => {
    const { day, at } = newBankDay()
    const pos = await newPos('Boş POS')
    const file = fileOf(statementText(day, []))
    const words = ['--day', day, '--pos', String(pos.id)]
    assert.equal((await run(file, ...words)).code, 0)
    const world = chargesOfDay(pos, 20, at)
    const charges = world.map(({ charge }) => charge)
    await seedReconciliationCharges(services.sql, charges)
    const { code, output } = await run(file, ...words, '--format', 'json')
    assert.equal(code, 1)
    const actual = readJsonReport(output).entries.map(({ kind, reference }) => `${kind} ${reference}`)
    // Each of the three refunds of the older charge is reported.
    const missing = world.flatMap(({ charge, lines }) => lines.map(() => `ours_only ${charge.reference}`))
    assert.deepEqual(actual.toSorted(), missing.toSorted())
    assert.match((await run(file, '--day', day)).output, /^--pos: The statement has no lines/m)
    assert.match((await run(file, '--pos', String(pos.id))).output, /^--day: The statement has no lines/m)
    assert.equal((await run(file, '--day', day)).code, 2)
  })

  it('can cover several POS and merchants, or only the requested POS', async () => {
    const { day, at } = newBankDay()
    const first = await newPos('İlk POS')
    const second = await newPos('Komşu POS', neighbour.id)
    const [a, b, c] = [
      newTestCharge(first, at(600)),
      newTestCharge(second, at(600), {
        modifications: [newTestModification('refund', 'refund', at(650), 500)],
      }),
      newTestCharge(second, at(700)),
    ]
    assert.ok(a && b && c)
    await seedReconciliationCharges(services.sql, [a, b, c])
    const file = fileOf(statementText(day, [statementLineOf(b), statementLineOf(a)]))
    const both = await run(file)
    assert.match(
      both.output,
      new RegExp(`^Statement of ${day}, POS ${first.id} İlk POS, ${second.id} Komşu POS$`, 'm'),
    )
    assert.match(
      both.output,
      new RegExp(`^${c.paymentId} +${c.reference} +charge +taken .* Komşu POS +- *$`, 'm'),
    )
    assert.match(both.output, /^ours only +2$/m)
    assert.equal(both.code, 1)
    const one = await run(file, '--pos', String(first.id))
    assert.match(
      one.output,
      new RegExp(`^The statement also has charges of other POS: ${second.id} Komşu POS$`, 'm'),
    )
    assert.equal(one.code, 0, one.output)
  })
})

describe('the command refuses', () => {
  it('a statement without any known reference until the POS is given', async () => {
    const { day } = newBankDay()
    const file = fileOf(
      statementText(day, [{ reference: `${nextId()}ABCDEF`, amountMinor: 100, state: 'taken' }]),
    )
    const { code, output } = await run(file)
    assert.equal(code, 2)
    assert.match(output, /^--pos: None of the statement’s references is in our records: specify its POS\.$/m)
    const pos = await newPos('Yeni POS')
    const known = await run(file, '--pos', String(pos.id))
    assert.match(known.output, /^theirs only +1$/m)
    assert.equal(known.code, 1)
  })

  it('an unknown POS, an invalid day, a missing file and a file that is not a statement', async () => {
    const { day } = newBankDay()
    const file = fileOf(statementText(day, []))
    const wrong: [string[], RegExp][] = [
      [[file, '--day', day, '--pos', String(nextId())], /^--pos: There is no POS with this ID\.$/m],
      [[file, '--day', '2026-02-30'], /^--day: Must be a day, for example 2026-11-15\.$/m],
      [[join(folder, 'none.csv')], /^The file .*none\.csv does not exist\.$/m],
      [[folder], /is a folder, not a file\.$/m],
      [[fileOf('')], /^The file is empty\./m],
      [[fileOf(Buffer.from([0, 1, 2, 0xff, 0xfe]))], /UTF-16, or is not a text file/],
    ]
    for (const [words, expected] of wrong) {
      const { code, output } = await runVezne(['reconcile', '--file', ...words], env)
      assert.match(output, expected)
      assert.equal(code, 2, output)
    }
  })
})

it('a reference with the id of our attempt and another ending does not match the attempt', async () => {
  const { day, at } = newBankDay()
  const pos = await newPos('Geri yüklenen POS')
  const charge = newTestCharge(pos, at(600))
  await seedReconciliationCharges(services.sql, [charge])
  const stranger = { ...statementLineOf(charge), reference: `${charge.attemptId}AAAAAA` }
  const file = fileOf(statementText(day, [stranger]))
  const { entries } = readJsonReport((await run(file, '--pos', String(pos.id), '--format', 'json')).output)
  assert.deepEqual(
    entries.map(({ kind, reference }) => [kind, reference]),
    [
      ['ours_only', charge.reference],
      ['theirs_only', stranger.reference],
    ],
  )
})

it('terminal control characters, card numbers and formulas of a statement are never shown', async () => {
  const { day } = newBankDay()
  const pos = await newPos('Güvenli POS')
  const references = ['\u001b[31mred', '4155650100416111', '@SUM(1)', '-1+1', 'a\u2028b\u202e']
  const lines = references.map((reference) => ({ reference, amountMinor: 100, state: 'taken' }))
  const file = fileOf(statementText(day, lines))
  for (const format of ['text', 'json']) {
    const { output } = await run(file, '--pos', String(pos.id), '--format', format)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    assert.doesNotMatch(output, /[\u001b\u2028\u202e]|u001b|4155650100416111|(?<!')[@]SUM|(?<!')-1\+1/)
    assert.match(output, /'@SUM\(1\)/)
  }
})

it('the batch size does not change the result', async () => {
  const { day, at } = newBankDay()
  const { merchant: own } = await createMerchant(services, { name: 'Parça', live: false })
  const pos = await newPos('Parça POS', own.id)
  const world = chargesOfDay(pos, 27, at)
  await seedReconciliationCharges(
    services.sql,
    world.map(({ charge }) => charge),
  )
  const half = world.flatMap(({ lines }, index) => (index % 3 === 0 ? [] : lines))
  const file = fileOf(statementText(day, half))
  const actual = async (batch: number, part: number) => {
    const report = await reconcile(services, { file }, { batch, part })
    assert.equal(report.matched, half.length)
    return report.listed('ours_only').map(({ reference, refundId }) => `${reference} ${refundId}`)
  }
  const whole = await actual(1_000, 100_000)
  assert.equal(whole.length, world.flatMap(({ lines }, index) => (index % 3 === 0 ? lines : [])).length)
  for (const [batch, part] of [
    [1, 7],
    [3, 50],
  ] as const)
    assert.deepEqual((await actual(batch, part)).toSorted(), whole.toSorted())
})

/** Hash of payments, attempts and modifications, to prove that nothing changed. */
async function contentOf(database: Sql): Promise<string> {
  const { content } = await database.one<{ content: string }>(sql`select
    (select md5(string_agg(p::text, ' ' order by p.id)) from payments p)
    || (select md5(string_agg(a::text, ' ' order by a.id)) from payment_attempts a)
    || (select md5(string_agg(d::text, ' ' order by d.id)) from modifications d) as content`)
  return content
}
