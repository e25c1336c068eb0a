import type { HttpRequest } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { BankAnswer, BankChargeRequest } from '../../server/connectors/index.ts'
import { connectorByName } from '../../server/connectors/index.ts'
import { TestClock } from '../harness/clock.ts'
import { silentLog } from '../harness/database.ts'

/** Answers observed from banks on NestPay, for tests that parse them. */

export const secrets = { client_id: '100200127', name: 'API&USER', password: 'şifre<1>', store_key: 'SKEY' }
export const reference = '10000000000042AB12CD'
export const inquiry = { reference, currency: 'TRY' }
export const modification = { reference, amountMinor: 10_000, currency: 'TRY', bankReferences: {} }
export const refund = { ...modification, refundKey: '1', priorRefundedMinor: 0 }

export const charge: BankChargeRequest = {
  reference,
  amountMinor: 10_000,
  currency: 'TRY',
  installment: 1,
  payment: { by: 'bank_page', proof: { md: '545103:A1:##1', xid: 'x+id=', eci: '02', cavv: 'ca/vv=' } },
  payerAddress: null,
}

const elements = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')

export function xmlAnswer(own: Record<string, string>, extra: Record<string, string> = {}): string {
  return `<?xml version="1.0" encoding="ISO-8859-9"?><CC5Response>${elements(own)}<Extra>${elements(extra)}</Extra></CC5Response>`
}

export const approvalFields = { OrderId: reference, Response: 'Approved', ProcReturnCode: '00', ErrMsg: '' }
const numbers = { AuthCode: 'P48911', HostRefNum: '230200671758', TransId: '22302V8rE11732' }
export const approvedXmlAnswer = xmlAnswer(
  { ...approvalFields, ...numbers },
  { SETTLEID: '2286', ERRORCODE: '' },
)
export const gatewayErrorAnswer = (errorCode: string, more: Record<string, string> = {}) =>
  xmlAnswer(
    { OrderId: reference, Response: 'Error', ProcReturnCode: '99', ErrMsg: 'Hata', ...more },
    { ERRORCODE: errorCode },
  )

export const orderFields = {
  ORD_ID: reference,
  TRANS_STAT: 'C',
  CHARGE_TYPE_CD: 'S',
  ORIG_TRANS_AMT: '10000',
  CAPTURE_AMT: '10000',
  PROC_RET_CD: '00',
  AUTH_CODE: 'P48911',
}
export const orderFoundAnswer = (more: Partial<typeof orderFields> & Record<string, string> = {}) =>
  xmlAnswer({ ...approvalFields, ErrMsg: `Record(s) found for ${reference}` }, { ...orderFields, ...more })
export const orderNotFoundAnswer = xmlAnswer({
  OrderId: '',
  Response: 'Declined',
  ProcReturnCode: '99',
  ErrMsg: `No record found for ${reference}`,
})

export const historyLine = (type: string, status: string, amount: number, code = '00') =>
  `${type}\t${status}\t${amount}\t${amount}\t2026-11-15 09:30:00.000\t2026-11-15 09:30:00.000\t\t400200744059\tP78955\t${code}\t24002V29G19979`
export const historyAnswer = (...lines: string[]) =>
  xmlAnswer(approvalFields, {
    TRXCOUNT: String(lines.length),
    ...Object.fromEntries(lines.map((text, index) => [`TRX${index + 1}`, text])),
  })

/** A bank that gives these answers in turn, and records the requests. */
export function bankAnswering(...answers: (string | NoHttpResponse)[]) {
  const sent: HttpRequest[] = []
  const send = async (request: HttpRequest) => {
    sent.push(request)
    const next = answers.shift()
    if (next === undefined) throw new Error('asked too often')
    if (next instanceof NoHttpResponse) throw next
    return { status: 200, headers: new Headers({ 'content-type': 'text/xml' }), body: Buffer.from(next) }
  }
  const bank = connectorByName('nestpay')?.open(
    { http: { send }, clock: new TestClock(), random: systemRandom, log: silentLog },
    {
      sandboxUrl: 'http://sandbox.invalid',
      settings: { address: 'https://pos.example.com.tr', gate: '/fim/est3Dgate', api: '/fim/api' },
      secrets,
      timeoutMs: 1000,
    },
  )
  if (!bank) throw new Error('there is no such connector')
  const types = () => sent.map(({ body = '' }) => /<Type>(\w+)|<(ORDER\w+)/.exec(body)?.slice(1).join(''))
  return { bank, sent, types }
}

export const outcomeOrReason = (response: BankAnswer | undefined) =>
  response?.outcome === 'declined' ? response.reason : response?.outcome
