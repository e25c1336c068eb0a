import type { Connector } from './contract.ts'
import { sandbox } from './sandbox/index.ts'

/** Every connector there is. */
export const connectors: readonly Connector[] = [sandbox]

export function connectorNamed(name: string): Connector | undefined {
  return connectors.find((connector) => connector.name === name)
}
