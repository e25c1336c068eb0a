import type { Static } from 'typebox'
import { command } from '../../kit/command-line/command.ts'
import { isCalendarDay } from '../../kit/input/day-or-instant.ts'
import {
  booleanField,
  choiceField,
  filePathField,
  idField,
  objectSchema,
  optional,
  parsedTextField,
} from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import { fileBytes } from '../../kit/text/file-lines.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { atOneMoment } from '../database/one-moment.ts'
import { merchantIds } from '../merchants/index.ts'
import { markVerifiedByStatement, recordStatementDifference } from '../payments/for-reconciliation.ts'
import type { Services } from '../services.ts'
import { compareCharge, compareUnknownReference } from './compare.ts'
import { readStatement } from './read-statement.ts'
import { breakOf } from './reconciliation-break.ts'
import type { RecordedCharge } from './recorded-charge.ts'
import { maxListed, ReconciliationReport, reportJsonLines, reportTextLines } from './report.ts'
import type { BankDay, Statement } from './statement.ts'
import { bankDay, clockToleranceMs } from './statement.ts'
import type { StatementLine } from './statement-lines.ts'
import { attemptIdIn } from './statement-lines.ts'
import type { ChargeSearch, ChargeSlice, CoveredPos } from './store.ts'
import { chargeSources, chargesByIds, chargesWithin, posByIds } from './store.ts'

const Reconcile = objectSchema({
  file: filePathField('Statement: a CSV file with one line per charge and per refund.'),
  pos: optional(
    idField(
      'Id of the POS of the statement. Default: every POS with a charge on it. Required if the statement has no lines.',
    ),
  ),
  day: optional(
    parsedTextField<string>(
      'Day of the statement, for example 2026-11-15. Default: the day of its lines. Required if it has no lines.',
      {
        max: 10,
        parse: readDay,
      },
    ),
  ),
  format: optional(choiceField('Format of the breaks. Default: text.', ['text', 'json'])),
  dry_run: optional(booleanField('Only compares: records nothing about approvals.')),
})

export const reconcileCommand = command({
  input: Reconcile,
  run: async (services: Services, input, print) => {
    const report = await reconcile(services, input)
    if (!input.dry_run) await recordVerifications(services, report)
    const describe = input.format === 'json' ? reportJsonLines : reportTextLines
    for (const line of describe(report)) print(line)
    const { breaks } = report
    if (breaks > 0)
      throw new Error(`Statement and our records differ: ${breaks} ${breaks === 1 ? 'break' : 'breaks'}.`)
    if (input.format !== 'json') print('Statement and our records agree.')
  },
})

/** References that one query looks up, and rows that one query scans for missing charges. */
interface Sizes {
  batch: number
  part: number
}

/**
 * Compares a statement with our records at one moment; changes nothing. Guarantee: every line is matched or
 * in one break, and so is every charge and refund of the POS that must be on the statement.
 */
export async function reconcile(
  { sql }: Pick<Services, 'sql'>,
  { file, pos, day }: Pick<Static<typeof Reconcile>, 'file' | 'pos' | 'day'>,
  sizes: Sizes = { batch: 1_000, part: 20_000 },
): Promise<ReconciliationReport> {
  const statement = await readStatement(fileBytes(file), { day, maxForeignLines: maxListed })
  if (statement.lineCount === 0 && pos === undefined) throw invalidParameter('pos', noLines)
  if (statement.day === undefined) throw invalidParameter('day', noLines)
  const of = bankDay(statement.day)
  return atOneMoment(sql, async (reading) => {
    const [requestedPos] = pos === undefined ? [] : await posByIds(reading, [pos])
    if (pos !== undefined && !requestedPos) throw invalidParameter('pos', noSuchPos)
    const report = new ReconciliationReport(of.day)
    report.lines = statement.lineCount
    addForeignLines(report, statement)
    const posIds = await compareLines(reading, statement, { day: of, report, requestedPos, sizes })
    const knownPos = await posByIds(reading, [...posIds])
    report.covered = requestedPos ? [requestedPos] : knownPos
    report.others = knownPos.filter(({ id: posId }) => requestedPos && posId !== requestedPos.id)
    if (report.covered.length === 0) throw invalidParameter('pos', nothingKnown)
    await findMissing(reading, statement, { day: of, report, sizes })
    return report
  })
}

/** Approvals that one query verifies. */
const verifiedAtOnce = 1_000

/** Differences that are accepted in any file: a bank makes few mistakes. */
const maxDiffering = 10

/**
 * Records what the statement shows about unverified approvals. Guarantee: if more than `maxDiffering` differ
 * and more differ than agree, nothing is recorded; a second run records nothing more.
 */
export async function recordVerifications(services: Services, report: ReconciliationReport): Promise<void> {
  const { sql, clock } = services
  const agreeing = [...report.verified.values()].reduce((sum, ids) => sum + ids.length, 0)
  const { length: differing } = report.differing
  if (differing > maxDiffering && differing > agreeing)
    throw new Error(
      `${differing} approvals differ on this statement and ${agreeing} agree. The file is more likely wrong than the bank. Nothing was recorded. To see the comparison: --dry-run`,
    )
  for (const [merchantId, ids] of report.verified) {
    for (let start = 0; start < ids.length; start += verifiedAtOnce) {
      const some = ids.slice(start, start + verifiedAtOnce)
      report.approvals.verified += await markVerifiedByStatement(sql, merchantId, some, clock.now())
    }
  }
  for (const { bankAmountMinor, ...ownedId } of report.differing) {
    if (await recordStatementDifference(services, ownedId, bankAmountMinor)) report.approvals.differing += 1
  }
}

/**
 * Adds the lines whose reference cannot be ours. Only the first of them were kept; the others are counted.
 */
function addForeignLines(report: ReconciliationReport, { lineCount, lines, foreignLines }: Statement): void {
  report.add(foreignLines.map((line) => breakOf('theirs_only', { line, note: 'not one of our references' })))
  report.addUnlisted('theirs_only', lineCount - lines.size - foreignLines.length)
}

interface Comparing {
  day: BankDay
  report: ReconciliationReport
  sizes: Sizes
}

/** Compares every line with our records by its reference. Returns the POS of the charges found. */
async function compareLines(
  reading: Sql,
  { lines }: Statement,
  { day, report, requestedPos, sizes }: Comparing & { requestedPos: CoveredPos | undefined },
): Promise<Set<number>> {
  const finder = new ChargeFinder(reading, requestedPos ? [requestedPos.merchantId] : [])
  const posIds = new Set<number>()
  for (const batch of lines.batches(sizes.batch)) {
    const charges = await finder.chargesOf(batch)
    for (const ofReference of batch) {
      const charge = charges.get(ofReference[0]?.reference ?? '')
      if (!charge) {
        report.add(compareUnknownReference(ofReference))
        continue
      }
      posIds.add(charge.posId)
      const { matched, breaks, ...approvals } = compareCharge(charge, ofReference, day)
      report.matched += matched
      report.addVerified(charge, approvals)
      // The statement need not contain all charges of a POS that was not requested.
      const isCovered = !requestedPos || requestedPos.id === charge.posId
      report.add(breaks.filter(({ line }) => isCovered || line !== null))
    }
  }
  return posIds
}

/** Merchants that one query searches for up to a thousand references. */
const merchantsAtOnce = 500

/**
 * Finds charges by their references. Most lines belong to few merchants, so merchants already found are
 * searched first.
 */
class ChargeFinder {
  readonly #database: Sql
  readonly #usual: Set<number>
  #all: number[] | undefined

  constructor(database: Sql, usual: readonly number[]) {
    this.#database = database
    this.#usual = new Set(usual)
  }

  async chargesOf(batch: readonly StatementLine[][]): Promise<Map<string, RecordedCharge>> {
    const references = new Set(batch.map(([line]) => line?.reference ?? ''))
    const charges = new Map<string, RecordedCharge>()
    const look = async (merchants: readonly number[]) => {
      for (let start = 0; start < merchants.length && references.size > 0; start += merchantsAtOnce) {
        const some = merchants.slice(start, start + merchantsAtOnce)
        for (const charge of await chargesByIds(this.#database, some, [...references].map(attemptIdIn))) {
          // The whole reference must match: another database can have the same attempt id.
          if (!references.delete(charge.reference)) continue
          charges.set(charge.reference, charge)
          this.#usual.add(charge.merchantId)
        }
      }
    }
    const usual = [...this.#usual]
    await look(usual)
    this.#all ??= await merchantIds(this.#database)
    await look(this.#all.filter((merchantId) => !usual.includes(merchantId)))
    return charges
  }
}

/** Finds charges and refunds that must be on the statement and are not. */
async function findMissing(
  reading: Sql,
  { lines }: Statement,
  { day, report, sizes }: Comparing,
): Promise<void> {
  const since = new Date(day.startMs - clockToleranceMs)
  const until = new Date(day.endMs + clockToleranceMs)
  for (const [merchantId, poses] of Map.groupBy(report.covered, (pos) => pos.merchantId)) {
    const search: ChargeSearch = { merchantId, posIds: poses.map((pos) => pos.id), since, until }
    for (const source of chargeSources) {
      for (let behind: number | null = 0; behind !== null; ) {
        const { references, end }: ChargeSlice = await chargesWithin(
          reading,
          source,
          search,
          behind,
          sizes.part,
        )
        const ids = references
          .filter(({ reference }) => !lines.has(reference))
          .map(({ attemptId }) => attemptId)
        for (let start = 0; start < ids.length; start += sizes.batch) {
          const charges = await chargesByIds(reading, [merchantId], ids.slice(start, start + sizes.batch))
          for (const charge of charges) report.add(compareCharge(charge, [], day).breaks)
        }
        behind = end
      }
    }
  }
}

function readDay(day: string): { value: string } | LocalizedText {
  if (isCalendarDay(day)) return { value: day }
  return { tr: 'Bir gün olmalıdır, örneğin 2026-11-15.', en: 'Must be a day, for example 2026-11-15.' }
}

const noLines: LocalizedText = {
  tr: 'Ekstrede hiç satır yok: ekstrenin gününü ve POS’unu belirtin.',
  en: 'The statement has no lines: specify its day and its POS.',
}

const noSuchPos: LocalizedText = {
  tr: 'Bu numarayla bir POS yok.',
  en: 'There is no POS with this ID.',
}

const nothingKnown: LocalizedText = {
  tr: 'Ekstredeki referansların hiçbiri kayıtlarımızda yok: ekstrenin POS’unu belirtin.',
  en: 'None of the statement’s references is in our records: specify its POS.',
}
