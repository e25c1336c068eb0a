import { command } from '../../kit/command-line/command.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { merchantById } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { tracesOf } from './store.ts'
import type { StoredTrace } from './trace.ts'

export const listTracesCommand = command({
  positionals: ['payment'],
  input: objectSchema({ payment: idField('Id of the payment. Merchants call it the transaction id.') }),
  run: async (services: Services, input, print) => {
    const traces = await tracesOf(services.sql, input.payment)
    const [first] = traces
    if (!first) return print('No messages of this payment are stored.')
    const merchant = await merchantById(services.sql, first.merchantId)
    const zone = merchant?.timeZone ?? 'UTC'
    for (const trace of traces) for (const line of linesOf(trace, zone)) print(line)
  },
})

function linesOf({ at, attemptId, direction, peer, kind, body }: StoredTrace, zone: string): string[] {
  const preposition = direction === 'sent' ? 'to' : 'from'
  // The database does not keep the order of names.
  const entries = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const fields = entries.map(([name, value]) => `    ${name.padEnd(34)} ${shown(value)}`)
  return [`${isoTime(at, zone)}  ${kind} ${preposition} the ${peer}, attempt ${attemptId}`, ...fields]
}

/** Value on one line, without terminal control characters. */
function shown(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�')
}
