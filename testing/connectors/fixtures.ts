import type { ConnectorFixture } from './connector-fixture.ts'
import { nestpayFixture } from './nestpay.ts'
import { sandboxFixture } from './sandbox.ts'

/** Fixtures by connector name. A connector without a fixture fails the suite. */
export const connectorFixtures: Readonly<Record<string, ConnectorFixture>> = {
  sandbox: sandboxFixture,
  nestpay: nestpayFixture('nestpay'),
  'sandbox-nestpay': nestpayFixture('sandbox-nestpay'),
}
