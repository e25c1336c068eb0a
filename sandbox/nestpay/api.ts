import type { AcquirerReply } from '../bank/acquirer.ts'
import {
  captureCharge,
  chargeStateOf,
  executeDecision,
  isStatusUnavailable,
  refundCharge,
  voidCharge,
} from '../bank/acquirer.ts'
import { faultByName } from '../bank/issuer.ts'
import type { ChargeKind } from '../bank/store.ts'
import type { SandboxTools } from '../bank/terminal.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import type { GatewayAnswer } from './answer.ts'
import { approvedAnswer, declinedAnswer, hostReferenceIn, plainAnswer, refusedAnswer } from './answer.ts'
import type { GatewayError } from './errors.ts'
import { currencyByNumber, installmentsOf, minorOf } from './money.ts'
import { isDayClosed, orderHistory, orderNotFound, orderStatus } from './order.ts'
import type { GateSession } from './session.ts'
import { isAuthenticated } from './session.ts'
import { isShopAuthenticated } from './shop.ts'
import { lockSessionByMd, orderByHostReference, recordSessionUse, sessionOfOrder } from './store.ts'
import type { Cc5Request } from './xml.ts'
import { readRequest } from './xml.ts'

/** A request of an authenticated shop. */
interface ShopRequest {
  tools: SandboxTools
  clientId: string
  orderId: string
  /** Text of an element; empty if the element is absent. */
  text: (name: string) => string
}

/** Largest number of installments that the bank offers. */
const maxInstallments = 12

/** Answers a request of a merchant's server. */
export async function answerApiRequest(tools: SandboxTools, body: unknown): Promise<GatewayAnswer> {
  const request = readRequest(body)
  if (!request) return refusedAnswer(tools, '', 'unreadable')
  const text = (name: string) => request.fields.get(name) ?? ''
  const [clientId, name, password] = [text('ClientId'), text('Name'), text('Password')]
  if (!(await isShopAuthenticated(tools, { clientId, name, password })))
    return refusedAnswer(tools, '', 'unknownShop')
  const orderId = text('OrderId') || (await orderWith(tools, clientId, text('TransId')))
  if (!/^[\x21-\x7e]{1,64}$/.test(orderId)) return refusedAnswer(tools, '', 'wrongOrder')
  return answerTo({ tools, clientId, orderId, text }, request)
}

async function orderWith({ sql }: SandboxTools, clientId: string, transId: string): Promise<string> {
  const hostReference = hostReferenceIn(transId)
  if (!hostReference) return ''
  // An unknown transaction id is answered like an unknown order.
  return (await orderByHostReference(sql, clientId, hostReference))?.reference ?? transId
}

async function answerTo(shopRequest: ShopRequest, { extra }: Cc5Request): Promise<GatewayAnswer> {
  const type = shopRequest.text('Type')
  if (type === 'Auth') return provision(shopRequest, 'sale')
  if (type === 'PreAuth') return provision(shopRequest, 'pre-authorization')
  if (type === 'PostAuth') return postAuth(shopRequest)
  if (type === 'Void') return undo(shopRequest)
  if (type === 'Credit') return credit(shopRequest)
  if (type === '' && extra.get('ORDERSTATUS') === 'QUERY') return inquire(shopRequest, 'status')
  if (type === '' && extra.get('ORDERHISTORY') === 'QUERY') return inquire(shopRequest, 'history')
  return refusedAnswer(shopRequest.tools, shopRequest.orderId, 'unknownType')
}

/**
 * Charges an authenticated payer. Guarantee: an authentication allows one charge, of the same shop, order,
 * amount, currency and installments, even when several requests arrive at the same time.
 */
function provision(
  { tools, clientId, orderId, text }: ShopRequest,
  kind: ChargeKind,
): Promise<GatewayAnswer> {
  return tools.sql.transaction(async (sql) => {
    const session = await lockSessionByMd(sql, clientId, text('Number'))
    if (!session) return refusedAnswer(tools, orderId, 'wrongCard')
    const wrong = wrongWith(session, orderId, text)
    if (wrong) return refusedAnswer(tools, orderId, wrong)
    const { amount, installments, card, code } = session
    const currency = currencyByNumber(session.currency) ?? ''
    const fault = faultByName(session.fault)
    const order = { terminal: clientId, reference: orderId, kind, amount, currency, installments, card }
    const reply = await executeDecision({ ...tools, sql }, order, { code, fault })
    // A charge that never reached the bank, or had a duplicate reference, leaves the authentication usable.
    const isUsed = fault?.done !== 'never' && codeOf(reply) !== '94'
    if (isUsed) await recordSessionUse(sql, session.id, tools.clock.now())
    return answerOf(tools, orderId, reply, { terminal: clientId, card })
  })
}

function codeOf({ response }: AcquirerReply): ResponseCode | undefined {
  return response.result === 'declined' ? response.code : undefined
}

/** The first difference between the charge request and the authenticated purchase, or undefined. */
function wrongWith(
  session: GateSession,
  orderId: string,
  text: ShopRequest['text'],
): GatewayError | undefined {
  const { authentication, xid, usedAt } = session
  if (!authentication || !isAuthenticated(authentication)) return 'notProven'
  const proof = [text('PayerTxnId'), text('PayerSecurityLevel'), text('PayerAuthenticationCode')]
  if (proof.join(' ') !== [xid, authentication.eci, authentication.cavv].join(' ')) return 'otherProof'
  if (usedAt) return 'usedXid'
  if (text('Mode') !== 'P') return 'unknownType'
  const installments = installmentsOf(text('Taksit'))
  if (!installments || !minorOf(text('Total'))) return 'wrongNumber'
  if (!currencyByNumber(text('Currency'))) return 'wrongCurrency'
  if (orderId !== session.oid || minorOf(text('Total')) !== session.amount) return 'otherAmount'
  if (text('Currency') !== session.currency) return 'otherCurrency'
  if (installments !== session.installments) return 'otherInstallments'
  return installments > maxInstallments ? 'noSuchInstallments' : undefined
}

/** Captures the held amount, or a part of it. */
async function postAuth({ tools, clientId, orderId, text }: ShopRequest): Promise<GatewayAnswer> {
  const amount = minorOf(text('Total'))
  if (!amount) return refusedAnswer(tools, orderId, 'wrongNumber')
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  if (!chargeState || chargeState.balance.held === 0) return refusedAnswer(tools, orderId, 'nothingToPost')
  const { charge } = chargeState
  const { currency } = charge
  const reply = await captureCharge(tools, clientId, { reference: orderId, amount, currency })
  return answerOf(tools, orderId, reply, charge, { '13': 'postsTooMuch', '25': 'nothingToPost' })
}

/** Voids a whole order, until the bank's day ends. */
async function undo({ tools, clientId, orderId }: ShopRequest): Promise<GatewayAnswer> {
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  if (!chargeState) return refusedAnswer(tools, orderId, 'nothingToVoid')
  const reply = await voidCharge(tools, clientId, { reference: orderId })
  const late = 'nothingToVoid'
  return answerOf(tools, orderId, reply, chargeState.charge, { '21': late, '25': late, '95': late })
}

/**
 * Refunds an order in full or in part, after the bank's day has ended. A repeated request is another refund.
 */
async function credit({ tools, clientId, orderId, text }: ShopRequest): Promise<GatewayAnswer> {
  const amount = minorOf(text('Total'))
  if (amount === undefined) return refusedAnswer(tools, orderId, 'wrongNumber')
  const currency = currencyByNumber(text('Currency'))
  if (!currency) return refusedAnswer(tools, orderId, 'wrongCurrency')
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  const { charge, balance } = chargeState ?? {}
  if (!chargeState || !charge || charge.code !== '00') return refusedAnswer(tools, orderId, 'nothingToRefund')
  if (amount === 0) return refusedAnswer(tools, orderId, 'refundsNothing')
  if (charge.currency !== currency) return refusedAnswer(tools, orderId, 'otherCurrency')
  if (balance && balance.held + balance.taken === 0) return refusedAnswer(tools, orderId, 'nothingLeft')
  if (!isDayClosed(chargeState, tools.clock.now())) return refusedAnswer(tools, orderId, 'refundsTooEarly')
  const part = tools.random.bytes(16).toString('hex')
  const reply = await refundCharge(tools, clientId, { reference: orderId, amount, currency, part }, '')
  return answerOf(tools, orderId, reply, charge, { '13': 'refundsTooMuch', '21': 'nothingLeft' })
}

async function inquire(
  { tools, clientId, orderId }: ShopRequest,
  what: 'status' | 'history',
): Promise<GatewayAnswer> {
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  if (!chargeState) return plainAnswer(orderNotFound(orderId))
  if (await isStatusUnavailable(tools, chargeState.charge))
    return { response: orderNotFound(orderId), delivery: 'lost' }
  const now = tools.clock.now()
  if (what === 'history') return plainAnswer(orderHistory(chargeState, now))
  const session = await sessionOfOrder(tools.sql, clientId, orderId)
  return plainAnswer(orderStatus(chargeState, session, now))
}

/**
 * Translates the acquirer's reply into a gateway answer. A code without a gateway error stays the bank's
 * decline.
 */
function answerOf(
  tools: SandboxTools,
  orderId: string,
  { response, delivery }: AcquirerReply,
  charge: { terminal: string; card: string },
  own: Partial<Record<ResponseCode, GatewayError>> = {},
): GatewayAnswer {
  if (response.result === 'approved') {
    const { reference, auth_code: authCode, host_reference: hostReference } = response
    const { terminal, card } = charge
    return approvedAnswer(
      { terminal, card, reference, authCode, hostReference, at: tools.clock.now() },
      delivery,
    )
  }
  if (response.result !== 'declined') throw new Error('a modification must be approved or declined')
  const error = response.code === '94' ? 'usedOrder' : own[response.code]
  return error ? refusedAnswer(tools, orderId, error) : declinedAnswer(tools, orderId, response.code)
}
