import type { HttpClient } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { AcsTools } from './authenticate.ts'
import type { AcsAuthentication, ChallengeEnding } from './authentication.ts'
import { endOverdueChallenges } from './challenge.ts'
import type { AcsMessage } from './message.ts'
import { newTransactionId, parseMessage } from './message.ts'
import { authenticationById, claimResults, dueResults, recordResultsAttempt } from './store.ts'

export interface ResultsTools extends AcsTools {
  http: HttpClient
  log: Log
}

const maxTries = 3
const pauseMs = 1_000
const timeoutMs = 5_000
/**
 * Lease of a sender: longer than an attempt can take, even with two messages. After it another sender takes
 * over.
 */
const claimMs = 15_000

/**
 * Sends the results of a challenge. Returns when they are acknowledged or all attempts have failed.
 * Guarantee: of concurrent callers one sends and the others wait for it.
 */
export async function deliverResults(tools: ResultsTools, acsTransId: string): Promise<void> {
  for (;;) {
    await attemptDelivery(tools, acsTransId)
    const { resultsDueAt = null } = (await authenticationById(tools.sql, acsTransId)) ?? {}
    if (resultsDueAt === null) return
    const leftMs = resultsDueAt.getTime() - tools.clock.now().getTime()
    await tools.clock.sleep(Math.min(Math.max(leftMs, 0), pauseMs))
  }
}

/**
 * Ends overdue challenges and sends due results. Call it periodically; any number of instances can run it at
 * the same time.
 */
export async function processDueChallenges(tools: ResultsTools): Promise<void> {
  await endOverdueChallenges(tools)
  const due = await dueResults(tools.sql, tools.clock.now())
  await Promise.all(due.map((acsTransId) => attemptDelivery(tools, acsTransId)))
}

async function attemptDelivery(tools: ResultsTools, acsTransId: string): Promise<void> {
  const { sql, clock, log } = tools
  const now = clock.now()
  const claimed = await claimResults(sql, acsTransId, now, new Date(now.getTime() + claimMs))
  if (!claimed?.ending) return
  const response = await send(tools, claimed, claimed.ending)
  const isDone = response !== undefined || claimed.resultsTries >= maxTries
  if (response === undefined)
    log.warn(
      { attempts: claimed.resultsTries },
      'the results of a challenge did not arrive; sent three times at most',
    )
  const dueAt = isDone ? null : new Date(clock.now().getTime() + pauseMs)
  await recordResultsAttempt(sql, acsTransId, dueAt, response ?? null)
}

/** Sends the results with the card's quirk. Returns the answer; undefined without a valid one. */
async function send(
  tools: ResultsTools,
  found: AcsAuthentication,
  ending: ChallengeEnding,
): Promise<string | undefined> {
  const results = resultsMessage(found, ending)
  const { quirk } = found
  if (quirk === 'results of another') {
    await post(tools, found, { ...results, threeDSServerTransID: newTransactionId(tools.random) })
  }
  const response = await post(tools, found, results)
  return quirk === 'results doubled' ? ((await post(tools, found, results)) ?? response) : response
}

export function resultsMessage(found: AcsAuthentication, ending: ChallengeEnding): AcsMessage {
  const { status, eci, cavv, reason, cancel, counter } = ending
  const isDecided = status === 'Y' || status === 'N'
  // From version 2.3 on the field is a list.
  const authenticationMethod = found.version === '2.2.0' ? '02' : ['02']
  return {
    messageType: 'RReq',
    messageVersion: found.version,
    messageCategory: '01',
    threeDSServerTransID: found.serverTransId,
    acsTransID: found.acsTransId,
    dsTransID: found.dsTransId,
    transStatus: status,
    eci,
    interactionCounter: counter,
    ...(isDecided ? { authenticationType: '02', authenticationMethod } : {}),
    ...(cavv === undefined ? {} : { authenticationValue: cavv }),
    ...(reason === undefined ? {} : { transStatusReason: reason }),
    ...(cancel === undefined ? {} : { challengeCancel: cancel }),
  }
}

/** Status of the response, or the code of an error message. */
async function post({ http }: ResultsTools, { resultsUrl: url }: AcsAuthentication, results: AcsMessage) {
  try {
    const { status, body } = await http.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
      body: JSON.stringify(results),
      timeoutMs,
    })
    return status === 200 ? responseCodeOf(parseMessage(body.toString('utf8')), results) : undefined
  } catch (error) {
    if (error instanceof NoHttpResponse) return undefined
    throw error
  }
}

function responseCodeOf(answer: AcsMessage | undefined, results: AcsMessage): string | undefined {
  if (answer?.['messageType'] === 'Erro') return String(answer['errorCode']).slice(0, 3)
  const ids = ['threeDSServerTransID', 'acsTransID', 'dsTransID', 'messageVersion']
  const isOurs = answer?.['messageType'] === 'RRes' && ids.every((name) => answer[name] === results[name])
  return isOurs ? String(answer['resultsStatus']).slice(0, 2) : undefined
}
