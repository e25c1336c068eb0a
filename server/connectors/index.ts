export type { Connector } from './contract.ts'
export { connectorNamed, connectors } from './registry.ts'
