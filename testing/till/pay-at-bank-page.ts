import { sql } from '../../kit/runtime/sql.ts'
import { authorizeAttempt } from '../../server/payments/attempts/authorize-attempt.ts'
import { openPos } from '../../server/pos/index.ts'
import { passBankPage } from '../connectors/pass-bank-page.ts'
import { testCard } from '../harness/payer.ts'
import type { Till } from './till.ts'
import { testTill } from './till.ts'

/** A till whose only POS is at a bank on NestPay, and takes every card. */
export async function bankPageTill(): Promise<Till> {
  const till = await testTill({ withBankPage: true })
  const { services, merchant } = till
  await services.sql.run(sql`update pos_credentials set state = 'off'
    where merchant_id = ${merchant.id} and connector <> 'sandbox-nestpay'`)
  await services.cache.refresh()
  return till
}

/**
 * Pays on the bank's page, as a browser does; returns the payment id. `wait` waits for a bank that charges
 * slowly.
 */
export async function payAtBankPage(
  till: Till,
  pan: string,
  form?: string,
  wait: Till['passUntil'] = (work) => work,
): Promise<number> {
  const { services, merchant } = till
  const id = await till.start(form)
  const submitted = await till.submit(id, pan)
  if (submitted.outcome !== 'begun') throw new Error(`the card was not taken: ${submitted.outcome}`)
  const { attempt } = submitted
  const { reference, currency, installment, chargedMinor: amountMinor, preAuth } = attempt
  const terms = { reference, amountMinor, currency, installment }
  const bank = await openPos(services, merchant, attempt.posId)
  if (typeof bank === 'string' || bank.authentication.by !== 'bank_page')
    throw new Error('it has no page of its own')
  const { authentication } = bank
  const sent = { ...terms, preAuth, returnUrl: 'https://pay.example/return', language: 'tr' } as const
  const back = await passBankPage(services.http, authentication.form(sent, testCard(pan)))
  const verdict = authentication.readReturn(terms, back?.body ?? Buffer.alloc(0))
  if (verdict.verdict !== 'proven') throw new Error(`the bank’s page says: ${verdict.verdict}`)
  const proof = { by: 'bank_page', proof: verdict.proof } as const
  await wait(authorizeAttempt(services, merchant, { attemptId: attempt.id }, proof))
  return id
}

const hourMs = 60 * 60 * 1000

/** Passes the rest of the bank's day and two more hours: partial refunds wait for the end of the day. */
export async function passBankDay({ clock, pass }: Pick<Till, 'clock' | 'pass'>): Promise<void> {
  const inIstanbulMs = clock.now().getTime() + 3 * hourMs
  await pass(24 * hourMs - (inIstanbulMs % (24 * hourMs)) + 2 * hourMs)
}
