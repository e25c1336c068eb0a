import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { networkOutboundClient } from '../../kit/outbound/network-outbound-client.ts'
import { Metrics } from '../../kit/runtime/metrics.ts'
import { NumericIdAllocator } from '../../kit/runtime/numeric-id-allocator.ts'
import { ProcessState } from '../../kit/runtime/process-state.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { connectors } from '../../server/connectors/index.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import { SearchQueue } from '../../server/database/search-queue.ts'
import { reserveIds } from '../../server/database/store.ts'
import { VersionedCache } from '../../server/database/versioned-cache.ts'
import type { Services } from '../../server/services.ts'
import { searchesAtOnce } from './searches.ts'

/** Another instance of the service on the same database, with empty caches and its own id blocks. */
export function newInstance(
  { config, clock, log }: Pick<Services, 'config' | 'clock' | 'log'>,
  sql: BatchingSql,
  http = networkHttpClient(clock),
): Services {
  return {
    config,
    sql,
    searches: new SearchQueue(sql, searchesAtOnce, clock),
    clock,
    random: systemRandom,
    cache: new VersionedCache(sql, clock, log),
    ids: new NumericIdAllocator(reserveIds(sql)),
    http,
    outbound: networkOutboundClient(clock),
    connectors,
    log,
    metrics: new Metrics(),
    keyring: new Keyring(config.secret ?? '', config.secretPrevious),
    tasks: new TaskGroup(),
    processState: new ProcessState(),
  }
}
