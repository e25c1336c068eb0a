import type { Connector } from './contract/contract.ts'
import { nestpay, sandboxNestpay } from './nestpay/index.ts'
import { sandbox } from './sandbox/index.ts'

export const connectors: readonly Connector[] = [sandbox, nestpay, sandboxNestpay]

export function connectorByName(name: string): Connector | undefined {
  return connectors.find((connector) => connector.name === name)
}
