import { clearBankBook, testBank } from '../harness/bank.ts'
import { TestClock } from '../harness/clock.ts'
import { chargeWith, testCvc } from '../harness/payer.ts'
import type { ConnectorFixture } from './connector-fixture.ts'

const numbers = { approve: '5400360000000003', decline: '4111111111111129' }
const secrets = { terminal: '4711', password: 'the-password-of-terminal-4711' }

export const sandboxFixture: ConnectorFixture = {
  open: async (sql) => {
    await clearBankBook(sql)
    const clock = new TestClock()
    const { address, line } = await testBank({ sql, clock })
    const access = (elsewhere = address) => ({
      sandboxUrl: elsewhere,
      settings: {},
      secrets,
      timeoutMs: 45_000,
    })
    return {
      access,
      clock,
      chargeThat: async (will, reference) => chargeWith(numbers[will], reference),
      chargeBy: async (number, reference) => chargeWith(number, reference),
      line,
      taken: async (reference) => (await line(reference))?.taken,
    }
  },
  amountMinor: 12_345,
  currency: 'TRY',
  shows: ['reference', 'amountMinor', 'currency'],
  repeats: ({ outcome: _, echoed, ...rest }) => ({
    ...rest,
    echoed: { ...echoed, amountMinor: 12_345 },
    refundedMinor: null,
  }),
  lie: (body, about) =>
    about === 'reference'
      ? body.replace(/"reference":"[^"]*"/, '"reference":"another"')
      : body.replace(/"amount":\d+/, '"amount":1'),
  contradictions: (approval) => [
    approval.replace(/"result":"approved"/, '"result":"declined"'),
    approval.replace(/\}$/, ',"result":"declined"}'),
    approval.replace(/"state":"(taken|held)"/, '"state":"declined"'),
    approval.replace(/\}$/, ',"state":"declined"}'),
  ],
  unspeakable: [...Object.values(numbers), `"${testCvc}"`, secrets.password],
}
