import { parseUrlEncoded } from '../../kit/input/body.ts'
import { Refused } from '../../kit/input/refusals.ts'
import type { ReturnContext } from '../payments/for-three-ds.ts'
import type { Services } from '../services.ts'
import type { Authentication, OwnedAttemptId } from './authentication.ts'
import { knownTransactionOf } from './authentication.ts'
import { withBrowserReturn } from './decide.ts'
import { recordMessageTrace } from './message-trace.ts'
import { decodeChallengeNotification } from './protocol/cres.ts'
import { readErro } from './protocol/erro.ts'
import { readMethodNotification } from './protocol/method.ts'
import { readIncomingMessage } from './protocol/read-incoming-message.ts'
import { authenticationOfAttempt, changeAuthentication, saveMethodCompletion } from './store.ts'

/**
 * Records the end of the 3DS Method. Guarantee: it counts only for its own transaction, and only before the
 * AReq is sent.
 */
export async function recordMethodCompletion(
  { sql, clock }: Services,
  returnContext: ReturnContext,
  body: Buffer,
): Promise<void> {
  const serverTransId = readMethodNotification(fieldsIn(body))
  if (serverTransId !== undefined)
    await saveMethodCompletion(sql, ownedIdIn(returnContext), serverTransId, clock.now())
}

/**
 * Records the browser's return from a challenge. Its content is not trusted; it only means that the RReq
 * should be here soon. Guarantee: it never leads to a charge.
 */
export async function recordChallengeReturn(
  services: Services,
  returnContext: ReturnContext,
  body: Buffer,
): Promise<void> {
  const value = decodeChallengeNotification(fieldsIn(body))
  const stored = await authenticationOfAttempt(services.sql, ownedIdIn(returnContext))
  // After the end, messages from browsers are no longer worth a trace.
  if (stored?.state !== 'challenging') return
  await changeAuthentication(services.sql, stored, (authentication) =>
    authentication.state === 'challenging' && !authentication.returnedAt && isAbout(value, authentication)
      ? withBrowserReturn(services, authentication)
      : undefined,
  )
  await recordMessageTrace(services, stored, 'received', value, 'browser')
}

/** True for a valid CRes, or an Erro in its place, about this transaction. */
function isAbout(value: unknown, authentication: Authentication): boolean {
  const erro = readErro(value)
  if (erro) return erro.serverTransId?.toLowerCase() === authentication.serverTransId
  return 'message' in readIncomingMessage('CRes', value, knownTransactionOf(authentication, { live: false }))
}

function ownedIdIn({ token: { merchantId }, attemptId }: ReturnContext): OwnedAttemptId {
  return { merchantId, attemptId }
}

/** Posted form fields; empty if the body is unreadable. */
function fieldsIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    return parseUrlEncoded(body.toString('utf8'))
  } catch (error) {
    if (error instanceof Refused) return {}
    throw error
  }
}
