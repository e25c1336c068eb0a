import { parseUrlEncoded } from '../../kit/input/body.ts'
import { Refused } from '../../kit/input/refusals.ts'
import type { ReturnContext } from '../payments/for-three-ds.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { withBrowserReturn } from './decide.ts'
import { knownTransactionOf } from './known-transaction.ts'
import { recordMessageTrace } from './message-trace.ts'
import { decodeChallengeNotification } from './protocol/cres.ts'
import { readErro } from './protocol/erro.ts'
import { readMethodNotification } from './protocol/method.ts'
import { readIncomingMessage } from './protocol/read-incoming-message.ts'
import { authenticationOfAttempt, saveMethodCompletion, updateAuthentication } from './store.ts'

/**
 * Records the end of the 3DS Method. Guarantee: it counts only for its own transaction, and only before the
 * AReq is sent.
 */
export async function recordMethodCompletion(
  services: Services,
  returnContext: ReturnContext,
  body: Buffer,
): Promise<void> {
  const serverTransId = readMethodNotification(fieldsIn(body))
  const { merchantId } = returnContext.token
  const ownedId = { merchantId, attemptId: returnContext.attemptId }
  if (serverTransId !== undefined)
    await saveMethodCompletion(services.sql, ownedId, serverTransId, services.clock.now())
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
  const { value } = decodeChallengeNotification(fieldsIn(body))
  const before = await change(services, returnContext, (authentication) =>
    authentication.state === 'challenging' && !authentication.returnedAt && isAbout(value, authentication)
      ? withBrowserReturn(authentication, services.clock.now(), services.config)
      : undefined,
  )
  // After the end, messages from browsers are no longer worth a trace.
  if (before?.state === 'challenging')
    await recordMessageTrace(services, before, 'received', value, 'browser')
}

/** True for a valid CRes, or an Erro in its place, about this transaction. */
function isAbout(value: unknown, authentication: Authentication): boolean {
  const erro = readErro(value)
  if (erro) return erro.serverTransId?.toLowerCase() === authentication.serverTransId
  return 'message' in readIncomingMessage('CRes', value, knownTransactionOf(authentication, { live: false }))
}

/** Retries until no concurrent change gets in between. Returns the authentication as first read. */
async function change(
  { sql }: Services,
  { token: { merchantId }, attemptId }: ReturnContext,
  next: (authentication: Authentication) => Authentication | undefined,
): Promise<Authentication | undefined> {
  const first = await authenticationOfAttempt(sql, { merchantId, attemptId })
  for (
    let current = first;
    current;
    current = await authenticationOfAttempt(sql, { merchantId, attemptId })
  ) {
    const after = next(current)
    if (!after || (await updateAuthentication(sql, after))) break
  }
  return first
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
