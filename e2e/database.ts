import { Client } from 'pg'
import type { EmbeddedPostgres } from '../server/database/embedded/index.ts'
import { startEmbeddedIn } from '../testing/harness/embedded-home.ts'
import { until } from './until.ts'

/** Home folder of the running service, set by the runner. */
const home: string = JSON.parse(process.env['E2E'] ?? '{}').HOME_FOLDER ?? ''

let embedded: Promise<EmbeddedPostgres> | undefined

/** Releases the database. */
export async function closeDatabase(): Promise<void> {
  await (await embedded)?.release()
  embedded = undefined
}

/**
 * Moves all times of one payment and of its charges at the sandbox bank into the past. Other payments are
 * unchanged, and no test waits for hours.
 */
export async function agePayment(paymentId: number, minutes: number): Promise<void> {
  await withDatabase(async (client) => {
    await client.query('begin')
    for (const query of agePaymentQueries) await client.query(query, [paymentId, `${minutes} minutes`])
    await client.query('commit')
  })
}

/**
 * Moves the times of the challenge into the past: the bank's time for the payer and our time for the bank's
 * response. The payment page does not age.
 */
export async function ageChallenge(paymentId: number, seconds: number): Promise<void> {
  await withDatabase(async (client) => {
    for (const query of ageChallengeQueries) await client.query(query, [paymentId, `${seconds} seconds`])
  })
}

/** Waits until the payer's browser is back from the bank. The bank's response may still be pending. */
export async function untilBackFromBank(paymentId: number): Promise<void> {
  const returns = 'select from authentications where payment_id = $1 and returned_at is not null'
  await withDatabase((client) =>
    until(
      async () => (await client.query(returns, [paymentId])).rowCount === 1,
      () => 'the payer is not back from the bank',
    ),
  )
}

/** Waits until at least this many bank calls were made and all are answered. */
export async function untilBankAnswered(paymentId: number, times = 1): Promise<void> {
  const calls = 'select answered_at is not null as done from bank_calls where payment_id = $1'
  await withDatabase((client) =>
    until(
      async () => {
        const { rows } = await client.query<{ done: boolean }>(calls, [paymentId])
        return rows.length >= times && rows.every(({ done }) => done)
      },
      () => 'the bank has not answered every call',
    ),
  )
}

/** States of the attempts of a payment, in order. */
export async function attemptStates(paymentId: number): Promise<string[]> {
  const states = 'select state from payment_attempts where payment_id = $1 order by number'
  return withDatabase(async (client) => {
    const { rows } = await client.query<{ state: string }>(states, [paymentId])
    return rows.map(({ state }) => state)
  })
}

async function withDatabase<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  embedded ??= startEmbeddedIn(home, 'visitor')
  const client = new Client((await embedded).connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const attempts = 'select reference from payment_attempts where payment_id = $1'

const agePaymentQueries = [
  `update payments set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval,
     viewed_at = viewed_at - $2::interval, due_at = due_at - $2::interval where id = $1`,
  `update payment_attempts set began_at = began_at - $2::interval, asked_at = asked_at - $2::interval,
     due_at = due_at - $2::interval where payment_id = $1`,
  `update bank_calls set asked_at = asked_at - $2::interval, answered_at = answered_at - $2::interval
     where payment_id = $1`,
  `update sandbox.charges set asked_at = asked_at - $2::interval, done_at = done_at - $2::interval
     where reference in (${attempts})`,
  `update sandbox.charge_operations set at = at - $2::interval where reference in (${attempts})`,
]

const servers = 'select server_trans_id from authentications where payment_id = $1'

const ageChallengeQueries = [
  `update sandbox.authentications set asked_at = asked_at - $2::interval, came_at = came_at - $2::interval,
     deadline_at = deadline_at - $2::interval where server_trans_id in (${servers})`,
  `update sandbox.gate_sessions set opened_at = opened_at - $2::interval where oid in (${attempts})`,
  `update authentications set asked_at = asked_at - $2::interval, challenged_at = challenged_at - $2::interval,
     returned_at = returned_at - $2::interval, due_at = due_at - $2::interval where payment_id = $1`,
]
