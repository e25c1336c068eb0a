import { countingProxy } from '../testing/harness/counting-proxy.ts'
import { Child, ownRoot } from './child.ts'
import type { HttpCounts } from './counted-service.ts'
import type { WholeConfiguration } from './whole-configurations.ts'
import type { WholeInstallation } from './whole-installation.ts'
import type { WholeTools } from './whole-payers.ts'
import { payWhole } from './whole-payers.ts'

/** Work of the service for one payment on average, with its background jobs. */
export interface WorkCounts {
  statements: number
  /** Statements that insert, update or delete. */
  writes: number
  /** Bytes of the parameters of one of these. */
  writtenBytes: number
  roundTrips: number
  httpIn: number
  httpOut: number
  /** Bytes of one response, as it is transferred. */
  answeredBytes: number
}

const timeoutMs = 30_000
/** Payments that are counted. More payers send more at the same time, which the service puts together. */
const countedOf = ({ atOnce }: WholeConfiguration) => 4 * Math.max(10, atOnce)
const warmingOf = ({ atOnce }: WholeConfiguration) => Math.max(4, atOnce)

/**
 * Counts the work of each configuration on the wire, with few payments. The service runs as another program
 * behind a proxy, so its times mean nothing.
 */
export async function countWork(
  tools: WholeTools,
  installation: WholeInstallation,
  configurations: readonly WholeConfiguration[],
): Promise<WorkCounts[]> {
  const { databaseUrl, settings, root } = installation
  await using scope = new AsyncDisposableStack()
  const proxy = scope.adopt(await countingProxy(databaseUrl), (each) => each.close())
  const environment = { ...settings, DATABASE_URL: proxy.url }
  const service = scope.use(new Child('bench/counted-service.ts', [root], environment, ownRoot))
  await service.message(timeoutMs)
  const httpNow = async () => {
    const answer = service.message<HttpCounts>(timeoutMs)
    service.send({})
    return await answer
  }
  const results: WorkCounts[] = []
  for (const configuration of configurations) {
    await payWhole(tools, installation, configuration, { payments: warmingOf(configuration) })
    const [before, httpBefore] = [proxy.counts(), await httpNow()]
    const extent = { payments: countedOf(configuration) }
    const { payments, requests, answeredBytes } = await payWhole(tools, installation, configuration, extent)
    const [after, httpAfter] = [proxy.counts(), await httpNow()]
    const writes = after.writes - before.writes
    results.push({
      statements: (after.statements - before.statements) / payments,
      writes: writes / payments,
      writtenBytes: (after.writtenBytes - before.writtenBytes) / writes,
      roundTrips: (after.roundTrips - before.roundTrips) / payments,
      httpIn: (httpAfter.inbound - httpBefore.inbound) / payments,
      httpOut: (httpAfter.outbound - httpBefore.outbound) / payments,
      answeredBytes: answeredBytes / requests,
    })
  }
  return results
}
