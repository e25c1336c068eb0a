import type { PageRoute, PageRouteResponse } from '../../kit/http/page-route.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantById } from '../merchants/index.ts'
import { attemptById, openReturnToken } from '../payments/for-three-ds.ts'
import { openPos } from '../pos/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { knownTransactionOf } from './authentication.ts'
import { countOutcome } from './count-outcome.ts'
import { withResult } from './decide.ts'
import { finishInBackground } from './finish-authentication.ts'
import { recordMessageTrace } from './message-trace.ts'
import { buildErro, readErro } from './protocol/erro.ts'
import { parseMessage } from './protocol/parse-message.ts'
import { protocolError } from './protocol/protocol-error.ts'
import { readIncomingMessage } from './protocol/read-incoming-message.ts'
import type { RReq } from './protocol/rreq.ts'
import { buildRRes } from './protocol/rres.ts'
import { authenticationOfAttempt, changeAuthentication } from './store.ts'

/** Upper limit; a real RReq has a few thousand bytes. */
const longestMessage = 64 * 1024

/** Address for RReqs. Each AReq carries its own, and only the directory server is told. */
export const receiveResultsRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/3ds/results/:return_token',
  fromBanks: true,
  handle: async (services, { params, body }): Promise<PageRouteResponse> => {
    const text = body.length > longestMessage ? '' : body.toString('utf8')
    const value = await receiveResults(services, params['return_token'] ?? '', text)
    return { kind: 'json', value }
  },
}

/**
 * Receives the RReq, which alone decides a challenge. Guarantee: the first RReq of a challenge counts; one
 * about another transaction, or an invalid one, changes nothing. The bank is called after the response,
 * because a directory server waits three seconds.
 */
export async function receiveResults(services: Services, returnToken: string, text: string): Promise<object> {
  const returnContext = openReturnToken(services, 'results', returnToken)
  // An invalid token always gets this answer, whatever the body holds. The body is not read.
  if (!returnContext) return buildErro(protocolError('301', 'threeDSServerTransID'), undefined)
  const parsed = parseMessage(text)
  if ('error' in parsed) return buildErro(parsed.error, undefined)
  const { value } = parsed
  const ownedId = { merchantId: returnContext.token.merchantId, attemptId: returnContext.attemptId }
  const authentication = await authenticationOfAttempt(services.sql, ownedId)
  const merchant = await merchantById(services.sql, ownedId.merchantId)
  if (!authentication || !merchant || authentication.acsTransId === null)
    return buildErro(protocolError('301', 'threeDSServerTransID'), value)
  await recordMessageTrace(services, authentication, 'received', value)
  if (readErro(value)) return {}
  const transaction = knownTransactionOf(authentication, merchant)
  const checked = readIncomingMessage('RReq', value, transaction)
  if ('message' in checked) await applyResult(services, merchant, authentication, checked.message)
  const answer =
    'message' in checked ? buildRRes(transaction.version, checked.message) : buildErro(checked.error, value)
  await recordMessageTrace(services, authentication, 'sent', answer)
  return answer
}

/** Applies the first result. A concurrent browser return does not get in its way: the change is retried. */
async function applyResult(
  services: Services,
  merchant: Merchant,
  stored: Authentication,
  result: RReq,
): Promise<void> {
  const attempt = await attemptById(services, stored)
  const bank = attempt && (await openPos(services, merchant, attempt.posId))
  const own = typeof bank === 'object' ? bank.authentication : undefined
  // Statuses that the POS accepts at the merchant's risk.
  const accepts = own?.by === 'three_ds_server' ? own.acceptedStatuses : []
  const authentication = await changeAuthentication(services.sql, stored, (current) =>
    current.state === 'challenging' ? withResult(services, current, result, accepts) : undefined,
  )
  if (!authentication) return
  countOutcome(services, 'three_ds_server', result.status)
  void finishInBackground(services, { authentication, merchant })
}
