import type { ConnectorFixture } from './connector-fixture.ts'
import { nestpayFixture } from './nestpay.ts'
import { sandboxFixture } from './sandbox.ts'

/** By the name of the connector. One that is registered without a range here fails the suite. */
export const connectorFixtures: Readonly<Record<string, ConnectorFixture>> = {
  sandbox: sandboxFixture,
  nestpay: nestpayFixture('nestpay'),
  'sandbox-nestpay': nestpayFixture('sandbox-nestpay'),
}
