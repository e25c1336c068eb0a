import { ask, urlOfDatabase } from '../testing/harness/servers.ts'
import type { BarePaymentOptions, BareWork } from './bare-payment.ts'
import { Child } from './child.ts'
import { poolSize } from './environment.ts'
import type { PayResult } from './payers.ts'
import type { WorkCounts } from './whole-counts.ts'
import type { Extent, WholeTools } from './whole-payers.ts'
import { runPayers, taskExtent } from './whole-payers.ts'

const timeoutMs = 30_000

/** The limit `bare_payment` and its partner. */
export interface WholeLimit extends AsyncDisposable {
  pid: number
  partnerPid: number
  /** Makes payments with this work. */
  pay(counts: WorkCounts, atOnce: number, extent: Extent): Promise<PayResult>
}

/** Starts the limit on a database of its own, on the server of the measured service. */
export async function openWholeLimit(tools: WholeTools, serverUrl: string): Promise<WholeLimit> {
  await using scope = new AsyncDisposableStack()
  await ask(serverUrl, ['create database bare_payment'])
  const partner = scope.use(new Child('bench/bare-partner.ts', []))
  const partnerPort = await partner.message<number>(timeoutMs)
  const databaseUrl = urlOfDatabase(serverUrl, 'bare_payment')
  const options: BarePaymentOptions = { databaseUrl, poolSize, partnerPort }
  const bare = scope.use(new Child('bench/bare-payment.ts', [JSON.stringify(options)]))
  const limitUrl = `http://127.0.0.1:${await bare.message<number>(timeoutMs)}/`
  const opened = scope.move()
  return {
    pid: bare.pid,
    partnerPid: partner.pid,
    pay: async (counts, atOnce, extent) => {
      const ready = bare.message(timeoutMs)
      bare.send(workOf(counts))
      await ready
      const task = { limitUrl, exchanges: counts.httpIn, payers: atOnce, ...taskExtent(extent) }
      return await runPayers(tools, task)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The counted work of a payment, for each of its exchanges. */
function workOf({ statements, writes, httpIn, httpOut, writtenBytes, answeredBytes }: WorkCounts): BareWork {
  return {
    reads: (statements - writes) / httpIn,
    writes: writes / httpIn,
    outbound: httpOut / httpIn,
    rowBytes: writtenBytes,
    answerBytes: answeredBytes,
  }
}
