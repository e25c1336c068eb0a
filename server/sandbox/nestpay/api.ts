import type { AcquirerReply } from '../acquirer.ts'
import { capture, chargeDecided, chargeStateOf, isSilent, refund, voidCharge } from '../acquirer.ts'
import type { ChargeKind } from '../charge.ts'
import type { ResponseCode } from '../codes.ts'
import { faultNamed } from '../issuer.ts'
import type { SandboxTools } from '../terminal.ts'
import type { GatewayAnswer } from './answer.ts'
import { approved, declined, hostReferenceIn, plainly, refused } from './answer.ts'
import type { GatewayError } from './errors.ts'
import { currencyNumbered, installmentsOf, minorOf } from './money.ts'
import { isClosed, noOrder, orderHistory, orderStatus } from './order.ts'
import type { GateSession } from './session.ts'
import { isProven } from './session.ts'
import { isShop } from './shop.ts'
import { lockSessionByMd, orderOfHost, recordUse, sessionOfOrder } from './store.ts'
import type { Cc5Request } from './xml.ts'
import { readRequest } from './xml.ts'

/** A request of a shop that is who it says. */
interface ShopRequest {
  tools: SandboxTools
  clientId: string
  orderId: string
  /** An element of the request; empty when it is absent. */
  text: (name: string) => string
}

/** The most installments that the bank's table has. */
const mostInstallments = 12

/** Answers a request of a merchant's server. */
export async function answerApi(tools: SandboxTools, body: unknown): Promise<GatewayAnswer> {
  const request = readRequest(body)
  if (!request) return refused(tools, '', 'unreadable')
  const text = (name: string) => request.fields.get(name) ?? ''
  const [clientId, name, password] = [text('ClientId'), text('Name'), text('Password')]
  if (!(await isShop(tools, { clientId, name, password }))) return refused(tools, '', 'unknownShop')
  const orderId = text('OrderId') || (await orderWith(tools, clientId, text('TransId')))
  if (!/^[\x21-\x7e]{1,64}$/.test(orderId)) return refused(tools, '', 'wrongOrder')
  return answerTo({ tools, clientId, orderId, text }, request)
}

async function orderWith({ sql }: SandboxTools, clientId: string, transId: string): Promise<string> {
  const hostReference = hostReferenceIn(transId)
  if (!hostReference) return ''
  // An id that no order has is as good as an order that is not there.
  return (await orderOfHost(sql, clientId, hostReference))?.reference ?? transId
}

async function answerTo(asked: ShopRequest, { extra }: Cc5Request): Promise<GatewayAnswer> {
  const type = asked.text('Type')
  if (type === 'Auth') return provision(asked, 'sale')
  if (type === 'PreAuth') return provision(asked, 'pre-authorization')
  if (type === 'PostAuth') return postAuth(asked)
  if (type === 'Void') return undo(asked)
  if (type === 'Credit') return credit(asked)
  if (type === '' && extra.get('ORDERSTATUS') === 'QUERY') return inquire(asked, 'status')
  if (type === '' && extra.get('ORDERHISTORY') === 'QUERY') return inquire(asked, 'history')
  return refused(asked.tools, asked.orderId, 'unknownType')
}

/**
 * Charges a payer whom the gate knows. Guarantee: what the gate found is good for one charge of the shop, the order, the
 * amount, the currency and the installments that the payer was asked about, however many ask for it at once.
 */
function provision(
  { tools, clientId, orderId, text }: ShopRequest,
  kind: ChargeKind,
): Promise<GatewayAnswer> {
  return tools.sql.transaction(async (sql) => {
    const session = await lockSessionByMd(sql, clientId, text('Number'))
    if (!session) return refused(tools, orderId, 'wrongCard')
    const wrong = wrongWith(session, orderId, text)
    if (wrong) return refused(tools, orderId, wrong)
    const { amount, installments, card, code } = session
    const currency = currencyNumbered(session.currency) ?? ''
    const fault = faultNamed(session.fault)
    const order = { terminal: clientId, reference: orderId, kind, amount, currency, installments, card }
    const reply = await chargeDecided({ ...tools, sql }, order, { code, fault })
    // What never reached the bank used nothing up, nor did what it would not even look at.
    const isUsed = fault?.done !== 'never' && codeOf(reply) !== '94'
    if (isUsed) await recordUse(sql, session.id, tools.clock.now())
    return answerOf(tools, orderId, reply, { terminal: clientId, card })
  })
}

function codeOf({ response }: AcquirerReply): ResponseCode | undefined {
  return response.result === 'declined' ? response.code : undefined
}

/** What a request to charge has that the payer was not asked about. */
function wrongWith(
  session: GateSession,
  orderId: string,
  text: ShopRequest['text'],
): GatewayError | undefined {
  const { finding, xid, usedAt } = session
  if (!finding || !isProven(finding)) return 'notProven'
  const proof = [text('PayerTxnId'), text('PayerSecurityLevel'), text('PayerAuthenticationCode')]
  if (proof.join(' ') !== [xid, finding.eci, finding.cavv].join(' ')) return 'otherProof'
  if (usedAt) return 'usedXid'
  if (text('Mode') !== 'P') return 'unknownType'
  const installments = installmentsOf(text('Taksit'))
  if (!installments || !minorOf(text('Total'))) return 'wrongNumber'
  if (!currencyNumbered(text('Currency'))) return 'wrongCurrency'
  if (orderId !== session.oid || minorOf(text('Total')) !== session.amount) return 'otherAmount'
  if (text('Currency') !== session.currency) return 'otherCurrency'
  if (installments !== session.installments) return 'otherInstallments'
  return installments > mostInstallments ? 'noSuchInstallments' : undefined
}

/** Takes what was held, or less of it. */
async function postAuth({ tools, clientId, orderId, text }: ShopRequest): Promise<GatewayAnswer> {
  const amount = minorOf(text('Total'))
  if (!amount) return refused(tools, orderId, 'wrongNumber')
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  if (!chargeState || chargeState.balance.held === 0) return refused(tools, orderId, 'nothingToPost')
  const { charge } = chargeState
  const { currency } = charge
  const reply = await capture(tools, clientId, { reference: orderId, amount, currency })
  return answerOf(tools, orderId, reply, charge, { '13': 'postsTooMuch', '25': 'nothingToPost' })
}

/** Undoes all of an order, until the bank's day ends. */
async function undo({ tools, clientId, orderId }: ShopRequest): Promise<GatewayAnswer> {
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  if (!chargeState) return refused(tools, orderId, 'nothingToVoid')
  const reply = await voidCharge(tools, clientId, { reference: orderId })
  const late = 'nothingToVoid'
  return answerOf(tools, orderId, reply, chargeState.charge, { '21': late, '25': late, '95': late })
}

/** Gives back what was taken, or a part of it, once the bank's day has ended. Each is a refund of its own. */
async function credit({ tools, clientId, orderId, text }: ShopRequest): Promise<GatewayAnswer> {
  const amount = minorOf(text('Total'))
  if (amount === undefined) return refused(tools, orderId, 'wrongNumber')
  const currency = currencyNumbered(text('Currency'))
  if (!currency) return refused(tools, orderId, 'wrongCurrency')
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  const { charge, balance } = chargeState ?? {}
  if (!chargeState || !charge || charge.code !== '00') return refused(tools, orderId, 'nothingToRefund')
  if (amount === 0) return refused(tools, orderId, 'refundsNothing')
  if (charge.currency !== currency) return refused(tools, orderId, 'otherCurrency')
  if (balance && balance.held + balance.taken === 0) return refused(tools, orderId, 'nothingLeft')
  if (!isClosed(chargeState, tools.clock.now())) return refused(tools, orderId, 'refundsTooEarly')
  const part = tools.random.bytes(16).toString('hex')
  const reply = await refund(tools, clientId, { reference: orderId, amount, currency, part }, '')
  return answerOf(tools, orderId, reply, charge, { '13': 'refundsTooMuch', '21': 'nothingLeft' })
}

/** Tells how an order stands, or all that was done with it. */
async function inquire(
  { tools, clientId, orderId }: ShopRequest,
  what: 'status' | 'history',
): Promise<GatewayAnswer> {
  const chargeState = await chargeStateOf(tools, clientId, orderId)
  if (!chargeState) return plainly(noOrder(orderId))
  if (await isSilent(tools, chargeState.charge)) return { response: noOrder(orderId), delivery: 'lost' }
  const now = tools.clock.now()
  if (what === 'history') return plainly(orderHistory(chargeState, now))
  const session = await sessionOfOrder(tools.sql, clientId, orderId)
  return plainly(orderStatus(chargeState, session, now))
}

/** The acquirer's words in those of the gateway. What the gateway has no word for is passed on as the bank said it. */
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
    return approved({ terminal, card, reference, authCode, hostReference, at: tools.clock.now() }, delivery)
  }
  if (response.result !== 'declined') throw new Error('a deed is approved or declined')
  const error = response.code === '94' ? 'usedOrder' : own[response.code]
  return error ? refused(tools, orderId, error) : declined(tools, orderId, response.code)
}
