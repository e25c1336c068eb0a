import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import type { BankReferences } from '../contract/contract.ts'
import { minorFromDigits } from './amount.ts'
import { approvedCode } from './decline-reasons.ts'
import { isOrderNotFound, readOrderResponse, validBankReferences } from './read-answer.ts'
import type { NestpayResponse } from './xml.ts'

/** Captured and refunded sums of an order, from the bank's list of its transactions. */
export type OrderHistorySummary =
  | {
      order: 'taken'
      takenMinor: number
      refundedMinor: number
      /** References of the sale, and of the latest refund. */
      references: BankReferences
      lastReferences: BankReferences
    }
  /** Nothing was ever captured. */
  | { order: 'none' }
  | { order: 'unclear'; why: string }

interface HistoryLine {
  type: 'sale' | 'credit'
  state: 'done' | 'held' | 'undone' | 'failed'
  amountMinor: number
  references: BankReferences
}

const maxLines = 500

/** Guarantee: a list with an unreadable or a missing line is unclear as a whole. */
export function readHistorySummary(came: HttpResponse, reference: string): OrderHistorySummary {
  const response = readOrderResponse(came)
  if ('why' in response) return { order: 'unclear', why: response.why }
  const { own, extra } = response
  if (isOrderNotFound(response, reference)) return { order: 'none' }
  if (own['Response'] !== 'Approved' || own['ProcReturnCode'] !== approvedCode)
    return { order: 'unclear', why: `the history query was refused with ${own['ProcReturnCode']}` }
  if (own['OrderId'] !== reference) return { order: 'unclear', why: 'the history is of another charge' }
  const lines = linesIn(extra)
  return lines ? historyOf(lines) : { order: 'unclear', why: 'the history has an unknown format' }
}

function linesIn(extra: NestpayResponse['extra']): HistoryLine[] | undefined {
  const count = /^\d{1,3}$/.test(extra['TRXCOUNT'] ?? '') ? Number(extra['TRXCOUNT']) : maxLines
  const numbered = Object.keys(extra).filter((name) => /^TRX\d+$/.test(name))
  if (count >= maxLines || numbered.length !== count) return undefined
  const lines = Array.from({ length: count }, (_, index) => lineOf(extra[`TRX${index + 1}`] ?? ''))
  return lines.every((line) => line !== undefined) ? lines : undefined
}

function lineOf(text: string): HistoryLine | undefined {
  const [type = '', status = '', amount = '', captured = '', , , , hostRefNum, authCode, code, transId] = text
    .split('\t')
    .map((field) => field.trim())
  const state = stateOf(status, code === approvedCode)
  // For a sale the captured amount counts; a credit has only one amount.
  const amountMinor = minorFromDigits(type === 'S' && state === 'done' ? captured || amount : amount)
  if (!['S', 'C'].includes(type) || !state || amountMinor === undefined) return undefined
  const references = validBankReferences({ transId, hostRefNum, authCode })
  return { type: type === 'S' ? 'sale' : 'credit', state, amountMinor, references }
}

/** Undefined if the line has not ended, or has failed and is approved. */
function stateOf(status: string, isApproved: boolean): HistoryLine['state'] | undefined {
  if (status === 'D' || status === 'ERR') return isApproved ? undefined : 'failed'
  if (!isApproved) return undefined
  if (status === 'C' || status === 'S') return 'done'
  if (status === 'A') return 'held'
  return status === 'V' || status === 'CNCL' ? 'undone' : undefined
}

function historyOf(lines: readonly HistoryLine[]): OrderHistorySummary {
  const sales = lines.filter(({ type, state }) => type === 'sale' && (state === 'done' || state === 'undone'))
  const credits = lines.filter(({ type, state }) => type === 'credit' && state === 'done')
  const isHeldCredit = lines.some(({ type, state }) => type === 'credit' && state === 'held')
  if (isHeldCredit || sales.length > 1)
    return { order: 'unclear', why: 'the history has more than one outcome' }
  const [sale] = sales
  if (!sale)
    return credits.length > 0
      ? { order: 'unclear', why: 'the history has a credit without a sale' }
      : { order: 'none' }
  const credited = credits.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const refundedMinor = credited + (sale.state === 'undone' ? sale.amountMinor : 0)
  if (refundedMinor > sale.amountMinor)
    return { order: 'unclear', why: 'the bank refunded more than it took' }
  // The bank lists the latest first.
  const { references: lastReferences } = credits[0] ?? sale
  return {
    order: 'taken',
    takenMinor: sale.amountMinor,
    refundedMinor,
    references: sale.references,
    lastReferences,
  }
}
