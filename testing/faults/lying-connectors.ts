import assert from 'node:assert/strict'
import type { Bank, Connector } from '../../server/connectors/index.ts'
import { connectors } from '../../server/connectors/index.ts'

/** The sandbox bank with some responses replaced by the test. Its records stay correct. */
export function lyingConnectors(lies: (bank: Bank) => Partial<Bank>): readonly Connector[] {
  return connectors.map((connector) => ({
    ...connector,
    open: (tools, access) => {
      const bank = connector.open(tools, access)
      const honest: Bank = {
        authentication: bank.authentication,
        authorize: (charge) => bank.authorize(charge),
        inquire: (question) => bank.inquire(question),
        capture: async (modification) => (await bank.capture?.(modification)) ?? assert.fail(),
        void: async (modification) => (await bank.void?.(modification)) ?? assert.fail(),
        refund: async (modification) => (await bank.refund?.(modification)) ?? assert.fail(),
      }
      return { ...honest, ...lies(honest) }
    },
  }))
}
