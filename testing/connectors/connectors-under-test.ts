import type { Connector } from '../../server/connectors/index.ts'
import { connectors } from '../../server/connectors/index.ts'
import { isFullTestRun } from '../harness/environment.ts'

/** Connectors of this test run. `npm test` leaves out those with a sandbox twin. */
export function connectorsUnderTest(): readonly Connector[] {
  return connectors.filter((connector) => !hasSandboxTwin(connector) || isFullTestRun())
}

/** True if the same code also runs as `sandbox-<name>`. The two differ only in their address. */
export function hasSandboxTwin({ name }: Connector): boolean {
  return connectors.some((other) => other.name === `sandbox-${name}`)
}
