import { timingSafeEqual } from 'node:crypto'
import { SecretCvc, SecretPan } from '../../kit/money/card.ts'
import type { Language } from '../../kit/text/locale.ts'
import { decideAuthenticated } from '../bank/issuer.ts'
import type { SandboxTools } from '../bank/terminal.ts'
import type { GateCallback } from './callback.ts'
import { callbackOf, echoedFields, failureCallback, returnUrlsIn } from './callback.ts'
import type { GateRule, MdStatus } from './cards.ts'
import { gateRuleFor } from './cards.ts'
import type { FormFields } from './form.ts'
import { isSigned } from './hash.ts'
import { currencyByNumber, installmentsOf, minorOf } from './money.ts'
import type { GateSession } from './session.ts'
import { newGateAuthentication, newMd, newPasscode, newSessionId } from './session.ts'
import { isClientId, storeKeyOf } from './shop.ts'
import { insertSession, lockSession, recordAuthentication, recordWrongPasscode } from './store.ts'

/** Next page for the payer. */
export type GateStep =
  | { kind: 'challenge'; session: GateSession }
  | { kind: 'callback'; callback: GateCallback; language: Language }
  /** A waiting page that never continues. */
  | { kind: 'silence'; language: Language }
  /** No return address is known. */
  | { kind: 'lost'; language: Language }

/** Number of wrong passcodes that ends the session. */
const maxWrong = 3

const messages: Record<MdStatus, string> = {
  0: 'N-status/Not authenticated',
  1: 'Y-status/Authenticated',
  2: 'Card or issuer not enrolled',
  3: 'Issuer not enrolled',
  4: 'A-status/Attempt',
  5: 'U-status/Authentication unavailable',
  6: '3-D Secure error',
  7: 'System error',
  8: 'Unknown card',
}

/** Opens a session for a payer. Guarantee: only the masked card and the decisions based on it are stored. */
export async function openGateSession(
  tools: SandboxTools,
  form: FormFields | undefined,
  address: string,
): Promise<GateStep> {
  const language = form?.get('lang') === 'en' ? 'en' : 'tr'
  const clientId = form?.get('clientid') ?? ''
  if (!form || !returnUrlsIn(form) || !isClientId(clientId)) return { kind: 'lost', language }
  const echo = echoedFields(form)
  const fail = (failureFields: Record<string, string>): GateStep => {
    const callback = failureCallback(tools.random, { clientId, echo, failureFields })
    return { kind: 'callback', callback, language }
  }
  const refusal = refusalOf(form, clientId)
  if (refusal) return fail(refusal)
  const order = orderIn(form)
  const card = cardIn(form)
  if (!order) return fail(malformed('HPP-1002', 'İşlem bilgileri doğru formatta değildir.'))
  if (!card) return fail(malformed('HPP-1001', wrongCard))
  const session = sessionFor(tools, { clientId, language, address, order, card, echo })
  await insertSession(tools.sql, session)
  return stepOf(tools, session)
}

/** Refusal of a form whose signature or type is wrong; undefined if both are right. */
function refusalOf(form: FormFields, clientId: string): Record<string, string> | undefined {
  const refuse = (code: string, message: string) => ({
    mdStatus: '7',
    mdErrorMsg: message,
    ErrCode: code,
    ErrMsg: `${code} ${message}`,
    Response: 'Error',
    ProcReturnCode: '99',
  })
  if (form.get('hashAlgorithm') !== 'ver3' || !isSigned(form, storeKeyOf(clientId))) {
    return refuse('3D-1004', 'Guvenlik Kodu hatali')
  }
  const isTaken = ['Auth', 'PreAuth'].includes(form.get('TranType') ?? form.get('islemtipi') ?? 'Auth')
  if (form.get('storetype') !== '3d' || !isTaken) {
    return refuse('3D-1007', 'Isyeri kullanim tipi desteklenmiyor')
  }
  return undefined
}

const wrongCard =
  'Girilen kart numarası doğru formatta değildir. Kart numarasını kontrol ederek tekrar işlem deneyiniz.'

/** A callback without an mdStatus, and with placeholders for the fields that could not be read. */
function malformed(code: string, message: string): Record<string, string> {
  return {
    Response: 'Error',
    ErrorCode: code,
    ErrMsg: message,
    amount: '0',
    Ecom_Payment_Card_ExpDate_Month: '0',
    Ecom_Payment_Card_ExpDate_Year: '0',
    maskedCreditCard: '***',
    MaskedPan: '**',
  }
}

type Order = Pick<GateSession, 'oid' | 'amount' | 'currency' | 'installments'>

function orderIn(form: FormFields): Order | undefined {
  const [oid = '', currency = ''] = [form.get('oid'), form.get('currency')]
  const amount = minorOf(form.get('amount') ?? '')
  const installments = installmentsOf(form.get('taksit') ?? '')
  if (!amount || !installments || !currencyByNumber(currency)) return undefined
  return /^[\x21-\x7e]{1,64}$/.test(oid) ? { oid, amount, currency, installments } : undefined
}

interface Card {
  pan: SecretPan
  expiryMonth: number
  expiryYear: number
}

function cardIn(form: FormFields): Card | undefined {
  const pan = SecretPan.of(form.get('pan') ?? '')
  const expiry = ['Month', 'Year'].map((part) => form.get(`Ecom_Payment_Card_ExpDate_${part}`) ?? '')
  const [month = '', year = ''] = expiry
  if (!pan || !SecretCvc.of(form.get('cv2') ?? '')) return undefined
  if (!/^(0[1-9]|1[0-2])$/.test(month) || !/^\d\d$/.test(year)) return undefined
  return { pan, expiryMonth: Number(month), expiryYear: 2000 + Number(year) }
}

interface Arrival extends Pick<GateSession, 'clientId' | 'language' | 'address'> {
  order: Order
  card: Card
  echo: FormFields
}

function sessionFor({ clock, random }: SandboxTools, arrival: Arrival): GateSession {
  const { clientId, language, address, order, card, echo } = arrival
  const now = clock.now()
  const { masked } = card.pan
  const { isChallenged, mdStatus, trick }: GateRule = gateRuleFor(card.pan)
  const { code, fault } = decideAuthenticated(card, now)
  return {
    id: newSessionId(random),
    clientId,
    ...order,
    language,
    address,
    fields: [...echo],
    card: masked,
    trick: trick ?? null,
    code,
    fault: fault?.name ?? null,
    passcode: newPasscode(random),
    wrongPasscodes: 0,
    md: newMd(random, masked, clientId),
    xid: random.bytes(20).toString('base64'),
    openedAt: now,
    authentication: isChallenged ? null : newGateAuthentication(random, masked, mdStatus, messages[mdStatus]),
    usedAt: trick === 'used xid' ? now : null,
  }
}

function stepOf({ random }: SandboxTools, session: GateSession): GateStep {
  const { authentication, language, trick } = session
  if (!authentication) return { kind: 'challenge', session }
  if (trick === 'never') return { kind: 'silence', language }
  return { kind: 'callback', callback: callbackOf(random, session, authentication), language }
}

/** Action of the payer on the page: typed a code, cancelled, or reloaded. */
export type PayerAction = { typed: string } | 'cancelled' | 'looked'

/**
 * Continues a session, or repeats the result of a finished one. Undefined if the session is unknown.
 * Guarantee: a result never changes.
 */
export function continueGateSession(
  tools: SandboxTools,
  limits: { challengeSeconds: number },
  id: string,
  act: PayerAction,
): Promise<GateStep | undefined> {
  return tools.sql.transaction(async (sql) => {
    const session = await lockSession(sql, id)
    if (!session || session.authentication) return session && stepOf(tools, session)
    const end = async (mdStatus: MdStatus, message: string): Promise<GateStep> => {
      const authentication = newGateAuthentication(tools.random, session.card, mdStatus, message)
      await recordAuthentication(sql, id, authentication)
      return stepOf(tools, { ...session, authentication })
    }
    const lateMs = tools.clock.now().getTime() - session.openedAt.getTime()
    if (lateMs >= limits.challengeSeconds * 1000) return end('0', 'N-status/Challenge timed out')
    if (act === 'cancelled') return end('0', 'N-status/Challenge cancelled by cardholder')
    if (act === 'looked') return stepOf(tools, session)
    if (isSame(act.typed, session.passcode)) return end('1', messages[1])
    await recordWrongPasscode(sql, id)
    const next = { ...session, wrongPasscodes: session.wrongPasscodes + 1 }
    return triesLeft(next) > 0 ? stepOf(tools, next) : end('0', 'N-status/Wrong passcode')
  })
}

/** Remaining attempts of the payer. */
export function triesLeft({ wrongPasscodes }: GateSession): number {
  return maxWrong - wrongPasscodes
}

function isSame(typed: string, passcode: string): boolean {
  const digits = Buffer.from(typed.replaceAll(/\s/g, ''))
  return digits.length === passcode.length && timingSafeEqual(digits, Buffer.from(passcode))
}
