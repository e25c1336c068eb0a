import { sql } from '../../kit/runtime/sql.ts'
import { sealReturnToken } from '../../server/payments/addresses/return-token.ts'
import { authentications } from '../../server/three-ds/authentication.ts'
import type { Checkout } from './checkout.ts'

/** A payment with an open challenge. */
export interface ChallengedPayment {
  id: number
  path: string
  attemptId: number
  /** Form that opens the bank's challenge. */
  form: { action: string; fields: Record<string, string> }
  /** Transaction ids of the 3DS servers. */
  serverTransId: string
  acsTransId: string
  dsTransId: string
  /** Address the directory server sends the results to. */
  resultsUrl: string
  /** Address the browser returns to. */
  challengeUrl: string
}

/** Starts a payment and stops at the bank's challenge. */
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
    sql`select ${authentications.pick('attemptId', 'serverTransId', 'acsTransId', 'dsTransId').columns()}
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

/** Results of a challenge, as a directory server sends them, with these changes. */
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
