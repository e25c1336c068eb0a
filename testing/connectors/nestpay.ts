import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { BankChargeRequest, Connector, PosAccess } from '../../server/connectors/index.ts'
import { connectorByName } from '../../server/connectors/index.ts'
import { clearBankBook, testBank } from '../harness/bank.ts'
import { TestClock } from '../harness/clock.ts'
import { silentLog } from '../harness/database.ts'
import { testCard, testCvc } from '../harness/payer.ts'
import type { ConnectorFixture, OpenConnectorFixture } from './connector-fixture.ts'
import { passBankPage } from './pass-bank-page.ts'

const numbers = { approve: '5451030000000018', decline: '4111111111111129' }

const secrets = {
  client_id: '100200127',
  name: 'api-user',
  password: 'the-password-of-store-100200127',
  store_key: 'SKEY100200127',
}

const terms = { amountMinor: 12_345, currency: 'TRY', installment: 1 }

/** The sandbox bank by NestPay. The live connector gets its address as a setting. */
export function nestpayFixture(name: 'nestpay' | 'sandbox-nestpay'): ConnectorFixture {
  return {
    open: async (sql) => {
      await clearBankBook(sql)
      const clock = new TestClock()
      const { address, line } = await testBank({ sql, clock })
      const access = (elsewhere = address) => accessTo(name, elsewhere)
      const chargeBy: OpenConnectorFixture['chargeBy'] = (
        number,
        reference,
        { preAuth } = { preAuth: false },
      ) => authenticatedCharge(connectorByName(name), access(), clock, { number, reference, preAuth })
      return {
        access,
        clock,
        chargeThat: (will, ...rest) => chargeBy(numbers[will], ...rest),
        chargeBy,
        line,
        taken: async (reference) => (await line(reference))?.taken,
      }
    },
    ...terms,
    shows: ['reference'],
    // An approval names the batch. An inquiry names it only after the batch has closed.
    repeats: ({ outcome: _, echoed, bankReferences: { settleId: __, ...references }, ...rest }) => ({
      ...rest,
      echoed: { ...echoed, amountMinor: terms.amountMinor },
      refundedMinor: 0,
      bankReferences: references,
    }),
    lie: (body, about) =>
      about === 'reference'
        ? body.replaceAll(/(<OrderId>|<ORD_ID>|ORD_ID:)[^<\t]+/g, '$1another')
        : body.replaceAll(/(<(?:ORIG_TRANS|CAPTURE)_AMT>|(?:ORIG_TRANS|CAPTURE)_AMT:)\d+/g, '$11'),
    contradictions: (approval) => [
      approval.replace('<Response>Approved<', '<Response>Declined<'),
      approval.replace('<Response>Approved<', '<Response>Error<'),
      approval.replace('<ProcReturnCode>00<', '<ProcReturnCode>05<'),
      approval.replace('</CC5Response>', '<Response>Declined</Response></CC5Response>'),
      approval.replace('<TRANS_STAT>C<', '<TRANS_STAT>D<'),
      approval.replaceAll(/(<TRANS_STAT>|TRANS_STAT:)C/g, '$1D'),
      approval.replace('<PROC_RET_CD>00<', '<PROC_RET_CD>05<'),
    ],
    unspeakable: [...Object.values(numbers), `"${testCvc}"`, secrets.password, secrets.store_key],
  }
}

function accessTo(name: 'nestpay' | 'sandbox-nestpay', address: string): PosAccess {
  const timeoutMs = 45_000
  if (name === 'nestpay') {
    const settings = { address, gate: '/fim/est3Dgate', api: '/fim/api', accept_half_3d: 'no' }
    return { sandboxUrl: 'http://sandbox.invalid', settings, secrets, timeoutMs }
  }
  return { sandboxUrl: address, settings: { accept_half_3d: 'no' }, secrets, timeoutMs }
}

/** A charge request whose payer has passed the bank's page. */
async function authenticatedCharge(
  connector: Connector | undefined,
  access: PosAccess,
  clock: Clock,
  { number, reference, preAuth }: { number: string; reference: string; preAuth: boolean },
): Promise<BankChargeRequest> {
  const http = networkHttpClient(clock)
  const bank = connector?.open({ http, clock, random: systemRandom, log: silentLog }, access)
  if (bank?.authentication.by !== 'bank_page') throw new Error('the bank has no page of its own')
  const charge = { ...terms, reference }
  const form = { ...charge, preAuth, returnUrl: 'https://pay.example/return', language: 'tr' } as const
  const back = await passBankPage(http, bank.authentication.form(form, testCard(number)))
  const verdict = bank.authentication.readReturn(charge, back?.body ?? Buffer.alloc(0))
  if (verdict.verdict !== 'proven') throw new Error(`the bank’s page says: ${JSON.stringify(verdict)}`)
  return { ...charge, payment: { by: 'bank_page', proof: verdict.proof }, payerAddress: '192.0.2.7' }
}
