export type * from './contract.ts'
export { declineReasons } from './contract.ts'
export { connectorNamed, connectors } from './registry.ts'
