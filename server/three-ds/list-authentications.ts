import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { merchantById } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { failureReasonTextsOf } from './failure-reason-texts.ts'
import { authenticationsOfPayment } from './store.ts'

export const listAuthenticationsCommand = command({
  positionals: ['payment'],
  input: objectSchema({ payment: idField('Id of the payment. Merchants call it the transaction id.') }),
  run: async (services: Services, input, print) => {
    const all = await authenticationsOfPayment(services.sql, input.payment)
    const [first] = all
    if (!first) return print('No card of this payment was authenticated.')
    const merchant = await merchantById(services.sql, first.merchantId)
    const zone = merchant?.timeZone ?? 'UTC'
    const headings = ['ATTEMPT', 'BEGAN', 'BY', 'STATE', 'STATUS', 'ECI', 'VERSION', 'LIABILITY', 'WHY']
    const rows = all.map((each) => rowOf(each, zone))
    print(textTable(headings, rows))
    print(`To see the messages: vezne trace list ${input.payment}`)
  },
})

function rowOf(authentication: Authentication, zone: string): string[] {
  const { attemptId, beganAt, mode, state, status, reason, eci, protocol } = authentication
  return [
    String(attemptId),
    isoTime(beganAt, zone),
    mode === 'three_ds_server' ? '3-D Secure server' : 'the bank’s page',
    state,
    [status ?? [], reason ?? []].flat().join(' '),
    eci ?? '',
    protocol ?? '',
    liabilityOf(authentication),
    state === 'refused' && mode === 'three_ds_server' ? failureReasonTextsOf(authentication).operator.en : '',
  ]
}

/**
 * Party that is liable if the cardholder disputes the payment. Status A from a bank's page may not shift
 * liability, so the merchant is shown as liable.
 */
function liabilityOf({ state, status, mode }: Authentication): string {
  if (state !== 'proven') return ''
  return status === 'Y' || (status === 'A' && mode === 'three_ds_server') ? 'issuer' : 'merchant'
}
