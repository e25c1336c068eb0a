import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { listTransfersRoute } from './list-transfers.ts'
import { readBalanceRoute } from './read-balance.ts'
import { takeSnapshots } from './take-snapshots.ts'

export { takeSnapshots }

export const balanceRoutes = [readBalanceRoute, listTransfersRoute]

export const balanceJobs: BackgroundJob<Services>[] = [
  { name: 'take balance snapshots', everyMs: 5 * 60 * 1000, work: takeSnapshots },
]
