import type { ChargeState } from '../bank/acquirer.ts'
import { isSettled } from '../bank/charge.ts'
import { faultByName } from '../bank/issuer.ts'
import type { ChargeOperation } from '../bank/store.ts'
import { hostDateText, timestampText, transIdOf } from './answer.ts'
import { groupedCardNumber } from './callback.ts'
import type { GateSession } from './session.ts'
import type { Cc5Response } from './xml.ts'

/** A transaction of an order, as the bank lists it. */
interface Transaction {
  /** S sale, C credit (refund). */
  kind: 'S' | 'C'
  /** A held, C taken, S taken and settled, D declined, V voided. */
  state: 'A' | 'C' | 'S' | 'D' | 'V'
  amount: number
  /** Amount taken, if any. */
  captured: number | undefined
  authorizedAt: Date
  capturedAt: Date | undefined
  voidedAt: Date | undefined
  authCode: string
  code: string
  transId: string
}

/**
 * True if the bank's day has ended since the money was taken. The fault `settled` makes it true from the
 * start.
 */
export function isDayClosed({ charge, balance: { takenAt } }: ChargeState, now: Date): boolean {
  if (!takenAt) return false
  return faultByName(charge.fault)?.undoing === 'settled' || isSettled(takenAt, now)
}

/** Transactions of an order, the latest first. */
function transactionsOf(chargeState: ChargeState, now: Date): Transaction[] {
  const { charge, operations } = chargeState
  const credits = operations.filter(({ kind }) => kind === 'refunded')
  const given = credits.map((operation, index) => creditOf(chargeState, operation, index, now))
  return [...given.toReversed(), saleOf(chargeState, charge.doneAt, now)]
}

function creditOf(
  { charge }: ChargeState,
  { amount, at }: ChargeOperation,
  index: number,
  now: Date,
): Transaction {
  return {
    kind: 'C',
    state: isSettled(at, now) ? 'S' : 'C',
    amount,
    captured: amount,
    authorizedAt: at,
    capturedAt: at,
    voidedAt: undefined,
    authCode: charge.authCode ?? '',
    code: '00',
    transId: transIdOf(charge.hostReference, at, String.fromCharCode(66 + (index % 22))),
  }
}

function saleOf(chargeState: ChargeState, at: Date, now: Date): Transaction {
  const { charge, operations, balance } = chargeState
  const voided = operations.find(({ kind }) => kind === 'voided')
  const sale: Transaction = {
    kind: 'S',
    state: isDayClosed(chargeState, now) ? 'S' : 'C',
    amount: charge.amount,
    captured: balance.gross === 0 ? undefined : balance.gross,
    authorizedAt: at,
    capturedAt: balance.takenAt,
    voidedAt: voided?.at,
    authCode: charge.authCode ?? '',
    code: charge.code,
    transId: transIdOf(charge.hostReference, charge.askedAt),
  }
  if (charge.code !== '00') return { ...sale, state: 'D' }
  if (voided) return { ...sale, state: 'V' }
  return balance.held > 0 ? { ...sale, state: 'A' } : sale
}

/** Status of an order: its latest transaction. Amounts are in minor units here. */
export function orderStatus(
  chargeState: ChargeState,
  session: GateSession | undefined,
  now: Date,
): Cc5Response {
  const { charge } = chargeState
  const [last] = transactionsOf(chargeState, now)
  if (!last) throw new Error('an order has no transaction')
  const summary = {
    ORD_ID: charge.reference,
    CHARGE_TYPE_CD: last.kind,
    ORIG_TRANS_AMT: String(last.amount),
    CAPTURE_AMT: String(last.captured ?? ''),
    TRANS_STAT: last.state,
    AUTH_DTTM: timestampText(last.authorizedAt),
    CAPTURE_DTTM: timestampText(last.capturedAt),
    AUTH_CODE: last.authCode,
    TRANS_ID: last.transId,
  }
  return {
    fields: {
      ErrMsg: `Record(s) found for ${charge.reference}`,
      ProcReturnCode: '00',
      Response: 'Approved',
      OrderId: charge.reference,
      TransId: last.transId,
    },
    extra: {
      ...summary,
      ...(last.voidedAt ? { VOID_DTTM: timestampText(last.voidedAt) } : {}),
      HOSTDATE: hostDateText(last.authorizedAt),
      HOST_REF_NUM: charge.hostReference,
      PAN: groupedCardNumber(charge.card),
      PROC_RET_CD: last.code,
      SETTLEID: '',
      ECI_3D: session?.authentication?.eci ?? '',
      CAVV_3D: session?.authentication?.cavv ?? '',
      XID_3D: session?.xid ?? '',
      MDSTATUS: session?.authentication?.mdStatus ?? '',
      NUMCODE: '0',
      ORDERSTATUS: summaryText(summary),
    },
  }
}

const emptySummary = {
  ORD_ID: '',
  CHARGE_TYPE_CD: '',
  ORIG_TRANS_AMT: '',
  CAPTURE_AMT: '',
  TRANS_STAT: '',
  AUTH_DTTM: '',
  CAPTURE_DTTM: '',
  AUTH_CODE: '',
}

/** Answer about an unknown order. */
export function orderNotFound(orderId: string): Cc5Response {
  return {
    fields: {
      ErrMsg: `No record found for ${orderId}`,
      ProcReturnCode: '99',
      Response: 'Declined',
      OrderId: '',
      TransId: '',
    },
    extra: { NUMCODE: '0', ORDERSTATUS: summaryText(emptySummary) },
  }
}

function summaryText(summary: Readonly<Record<string, string>>): string {
  return Object.entries(summary)
    .map(([name, text]) => `${name}:${text}`)
    .join('\t')
}

/** All transactions of an order, one line each. */
export function orderHistory(chargeState: ChargeState, now: Date): Cc5Response {
  const { charge } = chargeState
  const lines = transactionsOf(chargeState, now).map((each) => lineOf(each, charge.hostReference))
  return {
    fields: { ErrMsg: '', ProcReturnCode: '00', Response: 'Approved', OrderId: charge.reference },
    extra: {
      TERMINALID: charge.terminal.slice(-8).padStart(8, '0'),
      MERCHANTID: charge.terminal,
      NUMCODE: '0',
      ...Object.fromEntries(lines.map((line, index) => [`TRX${index + 1}`, line])),
      TRXCOUNT: String(lines.length),
    },
  }
}

function lineOf(transaction: Transaction, hostReference: string): string {
  const { kind, state, amount, captured, authorizedAt, capturedAt, voidedAt, authCode, code, transId } =
    transaction
  const times = [authorizedAt, capturedAt, voidedAt].map(timestampText)
  return [kind, state, amount, captured ?? '', ...times, hostReference, authCode, code, transId].join('\t')
}
