import { connectors } from '../connectors/index.ts'
import { Searches } from '../database/searches.ts'
import { reserveIds } from '../database/store.ts'
import { networkHttp } from '../kit/http.ts'
import { Ids } from '../kit/ids.ts'
import { Keyring } from '../kit/keyring.ts'
import { Memory } from '../kit/memory.ts'
import { Metrics } from '../kit/metrics.ts'
import { networkOutboundClient } from '../kit/network-outbound-client.ts'
import { systemRandom } from '../kit/random.ts'
import type { Sql } from '../kit/sql.ts'
import type { Services } from '../services.ts'
import { searchesAtOnce } from './searches.ts'

/** Another copy of the service on the same database: it remembers nothing, and has ids of its own. */
export function newInstance(
  { config, clock, log }: Pick<Services, 'config' | 'clock' | 'log'>,
  sql: Sql,
  http = networkHttp(clock),
): Services {
  return {
    config,
    sql,
    searches: new Searches(sql, searchesAtOnce, clock),
    clock,
    random: systemRandom,
    memory: new Memory(sql, clock, log),
    ids: new Ids(reserveIds(sql)),
    http,
    outbound: networkOutboundClient(clock),
    connectors,
    log,
    metrics: new Metrics(),
    keyring: new Keyring(config.secret ?? '', config.secretPrevious),
  }
}
