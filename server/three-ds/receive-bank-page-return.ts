import type { BankPageResult } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantById } from '../merchants/index.ts'
import type { ReturnContext } from '../payments/for-three-ds.ts'
import { abandonOrDeclineAttempt, attemptById, authorizeAttempt } from '../payments/for-three-ds.ts'
import type { Attempt } from '../payments/index.ts'
import { openPos } from '../pos/index.ts'
import type { Services } from '../services.ts'
import { recordTrace } from '../traces/index.ts'
import { newAuthentication } from './authentication.ts'
import { countOutcome } from './count-outcome.ts'
import { insertAuthentication } from './store.ts'

/**
 * Reads the payer's return from the bank's page and continues the attempt. Guarantee: only a return signed by
 * the bank, about this charge, counts. If it is repeated, also at the same time, the bank is called once. An
 * attempt that has ended does not change.
 */
export function receiveBankPageReturn(
  services: Services,
  returnContext: ReturnContext,
  body: Buffer,
): Promise<void> {
  return services.tasks.add(receive(services, returnContext, body))
}

async function receive(services: Services, returnContext: ReturnContext, body: Buffer): Promise<void> {
  const { merchantId } = returnContext.token
  const attempt = await attemptById(services, { merchantId, attemptId: returnContext.attemptId })
  const merchant = await merchantById(services.sql, merchantId)
  if (!attempt || !merchant || attempt.state !== 'authenticating') return
  const bank = await openPos(services, merchant, attempt.posId)
  if (typeof bank === 'string' || bank.authentication.by !== 'bank_page') {
    services.log.warn({ attempt: attempt.id }, 'ignored a return from a bank’s page: its POS cannot be used')
    return
  }
  const { reference, chargedMinor: amountMinor, currency, installment } = attempt
  const terms = { reference, amountMinor, currency, installment }
  const verdict = bank.authentication.readReturn(terms, body)
  await traceReturn(services, attempt, verdict)
  countOutcome(services, 'bank_page', verdict.verdict === 'proven' ? verdict.status : verdict.verdict)
  await actOn(services, merchant, attempt, verdict)
}

async function actOn(
  services: Services,
  merchant: Merchant,
  attempt: Attempt,
  verdict: BankPageResult,
): Promise<void> {
  const { id: attemptId } = attempt
  switch (verdict.verdict) {
    case 'proven': {
      await noteAuthentication(services, attempt, { state: 'proven', ...verdict })
      const { proof } = verdict
      await authorizeAttempt(services, merchant, { attemptId }, { by: 'bank_page', proof })
      return
    }
    case 'not_proven': {
      const { code, message } = verdict
      await noteAuthentication(services, attempt, { state: 'refused', status: code, eci: null })
      await abandonOrDeclineAttempt(services, merchant, {
        id: attemptId,
        code: code === null ? '3DS-ERROR' : `3DS-${code}`,
        message,
        isDeclined: true,
      })
      return
    }
    case 'not_genuine':
      services.log.warn(
        { attempt: attemptId, why: verdict.why },
        'ignored a return from a bank’s page: it is not genuine',
      )
  }
}

/** Records the outcome for `vezne authentication list`. The bank keeps the proof itself. */
async function noteAuthentication(
  { sql, clock }: Services,
  attempt: Attempt,
  { state, status, eci }: { state: 'proven' | 'refused'; status: string | null; eci: string | null },
): Promise<void> {
  const { beganAt } = attempt
  const ended = { mode: 'bank_page', state, status, eci, beganAt, endedAt: clock.now() } as const
  await insertAuthentication(sql, newAuthentication(attempt, ended))
}

function traceReturn(
  services: Services,
  attempt: Attempt,
  { trace, ...rest }: BankPageResult,
): Promise<void> {
  const { merchantId, paymentId, id: attemptId } = attempt
  const { verdict } = rest
  return recordTrace(services, {
    merchantId,
    paymentId,
    attemptId,
    peer: 'bank',
    direction: 'received',
    kind: 'return',
    body: { ...trace, verdict, ...('why' in rest && { why: rest.why }) },
  })
}
