import type { Sql } from '../../kit/runtime/sql.ts'
import type { Random } from '../../kit/security/random.ts'
import { cavvFor, saltBytes } from '../bank/cavv.ts'
import type { AcsTools } from './authenticate.ts'
import type { AcsAuthentication, ChallengeEnding } from './authentication.ts'
import type { AcsMessage } from './message.ts'
import { decodeMessage, errorMessage, isUuid } from './message.ts'
import { eciFor } from './scheme.ts'
import {
  lockAuthentication,
  overdueChallenges,
  recordArrival,
  recordEnding,
  recordWrongCode,
} from './store.ts'

const maxWrongCodes = 3
/** Delay of the results after the browser's return, for the quirk `results late`. */
const lateMs = 5_000

/** Reason for which a challenge ends. */
type Cause = 'right' | 'wrong' | 'cancelled' | 'browser did not come' | 'holder did not answer'

/**
 * Opens the challenge of a challenge request. Undefined if there is none. Guarantee: a repeated request opens
 * the same challenge, and the cardholder's time runs from the first one.
 */
export async function openChallenge(
  tools: AcsTools,
  creq: string | null,
  challengeMs: number,
): Promise<AcsAuthentication | undefined> {
  const request = decodeMessage(creq)
  if (!request || !isWhole(request)) return undefined
  return withChallenge(tools, request['acsTransID'], async (sql, found, now) => {
    const { threeDSServerTransID, messageVersion } = request
    if (found.serverTransId !== threeDSServerTransID || found.version !== messageVersion) return false
    await recordArrival(sql, found.acsTransId, now, new Date(now.getTime() + challengeMs))
    return true
  })
}

function isWhole(request: AcsMessage): boolean {
  const { messageType, challengeWindowSize } = request
  return messageType === 'CReq' && /^0[1-5]$/.test(String(challengeWindowSize))
}

/** The challenge, if a browser has opened it before or it has ended. */
export function reopenChallenge(
  tools: AcsTools,
  acsTransId: unknown,
): Promise<AcsAuthentication | undefined> {
  return withChallenge(
    tools,
    acsTransId,
    async (_sql, found) => found.cameAt !== null || found.ending !== null,
  )
}

/**
 * Processes the cardholder's answer. Guarantee: the third wrong code ends the challenge, and later answers
 * change nothing. A blank code is ignored.
 */
export function answerChallenge(
  tools: AcsTools,
  acsTransId: unknown,
  typed: { code: string; isCancelled: boolean },
): Promise<AcsAuthentication | undefined> {
  const code = typed.code.replaceAll(/\s/g, '')
  return withChallenge(tools, acsTransId, async (sql, found, now) => {
    if (found.ending) return true
    if (found.cameAt === null) return false
    if (typed.isCancelled) await end(sql, found, 'cancelled', now, tools.random)
    else if (code === found.code) await end(sql, found, 'right', now, tools.random)
    else if (code !== '') {
      await recordWrongCode(sql, found.acsTransId)
      const wrongCodes = found.wrongCodes + 1
      if (wrongCodes >= maxWrongCodes) await end(sql, { ...found, wrongCodes }, 'wrong', now, tools.random)
    }
    return true
  })
}

/** Remaining attempts of the cardholder. */
export function triesLeft({ wrongCodes }: AcsAuthentication): number {
  return maxWrongCodes - wrongCodes
}

/** Ends challenges past their deadline. */
export async function endOverdueChallenges(tools: AcsTools): Promise<void> {
  for (const id of await overdueChallenges(tools.sql, tools.clock.now()))
    await withChallenge(tools, id, async () => true)
}

/**
 * Runs `work` while the challenge is locked, and returns the state after it. A challenge past its deadline
 * ends first. Undefined if the challenge is unknown or `work` returns false.
 */
async function withChallenge(
  { sql: database, clock, random }: AcsTools,
  acsTransId: unknown,
  work: (sql: Sql, found: AcsAuthentication, now: Date) => Promise<boolean>,
): Promise<AcsAuthentication | undefined> {
  if (!isUuid(acsTransId)) return undefined
  return database.transaction(async (sql) => {
    const found = await lockAuthentication(sql, acsTransId)
    if (found?.initialStatus !== 'C') return undefined
    const now = clock.now()
    const isOver = found.ending === null && found.deadlineAt !== null && found.deadlineAt <= now
    if (isOver) {
      await end(sql, found, found.cameAt ? 'holder did not answer' : 'browser did not come', now, random)
    }
    const current = isOver ? await lockAuthentication(sql, acsTransId) : found
    if (!current || !(await work(sql, current, now))) return undefined
    return lockAuthentication(sql, acsTransId)
  })
}

async function end(
  sql: Sql,
  found: AcsAuthentication,
  cause: Cause,
  now: Date,
  random: Random,
): Promise<void> {
  const { acsTransId, quirk } = found
  const delayMs = quirk === 'results late' ? lateMs : 0
  const dueAt = quirk === 'results lost' ? null : new Date(now.getTime() + delayMs)
  await recordEnding(sql, acsTransId, endingOf(found, cause, random), dueAt)
}

function endingOf(found: AcsAuthentication, cause: Cause, random: Random): ChallengeEnding {
  const { scheme, meaning, wrongCodes, amount, currency } = found
  const counter = String(wrongCodes + (cause === 'right' ? 1 : 0)).padStart(2, '0')
  const failed = { status: 'N', eci: eciFor(scheme, 'N'), counter } as const
  if (cause === 'browser did not come') return { ...failed, reason: '14', cancel: '05' }
  if (cause === 'holder did not answer') return { ...failed, reason: '14', cancel: '04' }
  if (cause === 'cancelled') return { ...failed, reason: '01', cancel: '01' }
  if (cause === 'wrong' || meaning === 'N') return { ...failed, reason: '01' }
  const unable = { status: 'U', eci: eciFor(scheme, 'U'), reason: '22', counter } as const
  if (meaning === 'U') return unable
  if (meaning === 'error') return { ...unable, cancel: '06', isError: true }
  const cavv = cavvFor({ amount: BigInt(amount), currency }, random.bytes(saltBytes))
  return { status: 'Y', eci: eciFor(scheme, 'Y'), cavv, counter }
}

/** Message that the browser returns with. It is only a hint: for the quirk `completion lies` it is false. */
export function completionMessage(found: AcsAuthentication, ending: ChallengeEnding): AcsMessage {
  const { serverTransId, acsTransId, version, quirk } = found
  const ids = { threeDSServerTransID: serverTransId, acsTransID: acsTransId, messageVersion: version }
  if (ending.isError) {
    const detail = 'The bank could not go on.'
    return errorMessage({ code: '404', detail }, { ...ids, messageType: 'CReq' }, 'A')
  }
  const isYes = ending.status === 'Y' || quirk === 'completion lies'
  const completion = { messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: isYes ? 'Y' : 'N' }
  return { ...ids, ...completion }
}
