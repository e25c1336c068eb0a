import type { Connector } from '../../server/connectors/index.ts'
import { connectors } from '../../server/connectors/index.ts'
import { isFullTestRun } from '../harness/environment.ts'

/** The connectors that a test run tests. A live one differs by an address alone from its twin to the sandbox: `npm test` leaves it out. */
export function connectorsUnderTest(): readonly Connector[] {
  return connectors.filter(({ mode }) => mode === 'test' || isFullTestRun())
}
