import type { Connector } from '../../server/connectors/index.ts'
import { connectors } from '../../server/connectors/index.ts'
import { isFullTestRun } from '../harness/environment.ts'

/** The connectors that a test run tests. `npm test` leaves out those that have a twin. */
export function connectorsUnderTest(): readonly Connector[] {
  return connectors.filter((connector) => !hasSandboxTwin(connector) || isFullTestRun())
}

/** Whether the same code also reaches the sandbox, as `sandbox-<name>`. The two differ by an address alone. */
export function hasSandboxTwin({ name }: Connector): boolean {
  return connectors.some((other) => other.name === `sandbox-${name}`)
}
