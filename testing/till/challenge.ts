import { sql } from '../../kit/runtime/sql.ts'
import { sealReturnToken } from '../../server/payments/addresses/return-token.ts'
import type { Checkout } from './checkout.ts'

/** A payment whose bank is asking the payer. */
export interface ChallengedPayment {
  id: number
  path: string
  attemptId: number
  /** What the browser posts to open the bank's question. */
  form: { action: string; fields: Record<string, string> }
  /** By what the servers know it. */
  serverTransId: string
  acsTransId: string
  dsTransId: string
  /** Where the directory server brings the result. */
  resultsUrl: string
  /** Where the browser comes back to. */
  challengeUrl: string
}

/** Brings a payment as far as the bank's question. */
export async function startChallenge(
  checkout: Checkout,
  number = '4000000000002503',
): Promise<ChallengedPayment> {
  const { id, path } = await checkout.open()
  const browser = checkout.browser()
  await browser.submit(path, number)
  await browser.prove(path, { reaction: 'goes away' })
  const step = JSON.parse((await browser.get(`${path}/step`)).body.toString())
  const { services, pageUrl } = checkout
  const row = await services.sql.one<
    Pick<ChallengedPayment, 'attemptId' | 'serverTransId' | 'acsTransId' | 'dsTransId'>
  >(
    sql`select attempt_id as "attemptId", server_id as "serverTransId", acs_id as "acsTransId", directory_id as "dsTransId"
      from authentications where payment_id = ${id} order by began_at desc limit 1`,
  )
  const returnTo = { attemptId: row.attemptId, page: path.slice(path.lastIndexOf('/') + 1) }
  return {
    id,
    path,
    ...row,
    form: { action: step.url, fields: step.fields },
    resultsUrl: `${pageUrl}/3ds/results/${sealReturnToken(services, 'results', returnTo)}`,
    challengeUrl: `${pageUrl}/3ds/challenge/${sealReturnToken(services, 'challenge', returnTo)}`,
  }
}

/** The result of a challenge, as a directory server brings it, with something else in it where it is given. */
export function resultsRequest(challenged: ChallengedPayment, other: object = {}): object {
  return {
    messageType: 'RReq',
    messageVersion: '2.3.1',
    messageCategory: '01',
    threeDSServerTransID: challenged.serverTransId,
    acsTransID: challenged.acsTransId,
    dsTransID: challenged.dsTransId,
    transStatus: 'Y',
    eci: '05',
    authenticationType: '02',
    authenticationMethod: '02',
    interactionCounter: '01',
    ...other,
  }
}
