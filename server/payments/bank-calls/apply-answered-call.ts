import type { Services } from '../../services.ts'
import { recordAnsweredCall } from '../records/bank-call.sql.ts'
import type { BankCall } from '../records/bank-call.ts'

/** Write conflicts on one payment after which an error is assumed. */
const maxTries = 20

/** Reads and writes of the state that an answer changes. */
export interface OptimisticWriter<State> {
  /** Writes the effects of the answer in this state; undefined if the state has changed. */
  write(state: State): Promise<State | undefined>
  /** Reads the current state. */
  reload(state: State): Promise<State | undefined>
}

/**
 * Applies a bank's answer to the current state. Guarantee: the decision is made on the state that it changes,
 * despite concurrent changes, and the answer is always recorded.
 */
export async function applyAnsweredCall<State>(
  services: Pick<Services, 'sql'>,
  answeredCall: BankCall,
  seen: State,
  writer: OptimisticWriter<State>,
): Promise<State> {
  let state = seen
  for (let count = 1; count <= maxTries; count++) {
    const after = await recordingAnswerOnError(services, answeredCall, () => writer.write(state))
    if (after !== undefined) return after
    const now = await writer.reload(state)
    if (now === undefined) throw new Error('the subject of a bank call is gone')
    state = now
  }
  await recordAnsweredCall(services.sql, answeredCall)
  throw new Error('gave up after too many conflicts: the payment kept changing')
}

/** Records the answer even if applying it fails. */
async function recordingAnswerOnError<Result>(
  { sql }: Pick<Services, 'sql'>,
  answeredCall: BankCall,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await recordAnsweredCall(sql, answeredCall).catch(() => undefined)
    throw error
  }
}
