export type * from './contract.ts'
export { declineReasons } from './contract.ts'
export { connectorByName, connectors } from './registry.ts'
