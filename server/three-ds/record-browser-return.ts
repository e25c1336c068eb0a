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
 * The bank has looked at the browser. Guarantee: it counts only for the transaction whose frame it was, and as long as
 * the bank was not asked.
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
 * The browser is back from the bank. What it brings is not believed: it says that the bank's own word should be here.
 * Guarantee: whatever it says, no money follows from it.
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
  // Once it is over, nobody has to find out any more what browsers bring.
  if (before?.state === 'challenging')
    await recordMessageTrace(services, before, 'received', value, 'browser')
}

/** A CRes in the right form, or an Erro in its place, of this very transaction. */
function isAbout(value: unknown, authentication: Authentication): boolean {
  const erro = readErro(value)
  if (erro) return erro.serverTransId?.toLowerCase() === authentication.serverTransId
  return 'message' in readIncomingMessage('CRes', value, knownTransactionOf(authentication, { live: false }))
}

/** Tries until nobody else gets ahead; answers what it found at first. */
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

/** What was posted; nothing if it cannot be read. */
function fieldsIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    return parseUrlEncoded(body.toString('utf8'))
  } catch (error) {
    if (error instanceof Refused) return {}
    throw error
  }
}
