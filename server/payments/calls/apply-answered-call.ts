import type { Services } from '../../services.ts'
import type { BankCall } from './call.ts'
import { recordAnsweredCall } from './store.ts'

/** More often than this nobody else gets ahead of us on one payment. */
const maxTries = 20

/** How what an answer is about is changed. */
export interface OptimisticWriter<State> {
  /** Writes what follows from the answer in this state; undefined if the state has changed. */
  write(state: State): Promise<State | undefined>
  /** Reads the current state. */
  reload(state: State): Promise<State | undefined>
}

/**
 * Applies a bank's answer to the state by then. Guarantee: it is decided on the state that it changes,
 * however many others change it meanwhile; and that it was said is written down in any case.
 */
export async function applyAnsweredCall<State>(
  services: Pick<Services, 'sql'>,
  answeredCall: BankCall,
  seen: State,
  writer: OptimisticWriter<State>,
): Promise<State> {
  let state = seen
  for (let count = 1; count <= maxTries; count++) {
    const after = await attempted(services, answeredCall, () => writer.write(state))
    if (after !== undefined) return after
    const now = await writer.reload(state)
    if (now === undefined) throw new Error('the subject of a bank call is gone')
    state = now
  }
  await recordAnsweredCall(services.sql, answeredCall)
  throw new Error('gave up after too many conflicts: the payment kept changing')
}

/** What keeps us from acting on what was said must not keep it from being written down. */
async function attempted<Result>(
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
