export type * from './contract/contract.ts'
export { declineReasons } from './contract/contract.ts'
export { connectorByName, connectors } from './registry.ts'
