import type { CapacityInputs } from './capacity-inputs.ts'

/** Need of an installation for a rate of payments, from measured costs of one payment. */
export interface Capacity {
  /** Processes of the service. */
  instances: number
  connections: number
  /** Cores of the single server, or of the coordinator. */
  serverCores: number
  /** Undefined on one server. */
  workers: number | undefined
  /** Flushes of the write-ahead log per second on a server that holds payments, if no two commits share one. */
  flushesPerS: number
  /** Its write-ahead log, in megabytes per second. */
  walMbPerS: number
  diskGbPerDay: number
  walGbPerDay: number
  /** Disk of all servers after a year, with the traces of their time. */
  diskTbAfterYear: number
  /** Parts that cannot be multiplied, the fullest first. A share above 1 is more than one machine has. */
  limits: { part: string; share: number }[]
}

const secondsPerDay = 86_400
const daysPerYear = 365

/** Need of one PostgreSQL server, at a peak of so many payments per second. */
export function capacityOfOneServer(paymentsPerS: number, inputs: CapacityInputs): Capacity {
  const { plain, limits } = inputs
  const base = baseOf(paymentsPerS, inputs, plain.serviceMs, plain.walBytes)
  const serverCores = coresFor(paymentsPerS, plain.serverMs, inputs)
  const walMbPerS = (paymentsPerS * plain.walBytes) / 1e6
  return {
    ...base,
    serverCores,
    workers: undefined,
    flushesPerS: paymentsPerS * plain.flushes,
    walMbPerS,
    limits: fullestFirst([
      { part: 'processors', share: serverCores / limits.coresOfServer },
      { part: 'disk for the log', share: walMbPerS / limits.walMbPerS },
      { part: 'connections', share: base.connections / limits.connections },
    ]),
  }
}

/** Need of a Citus, at a peak of so many payments per second. Workers are added until no worker is too busy. */
export function capacityOfCitus(paymentsPerS: number, inputs: CapacityInputs): Capacity {
  const { citus, limits, coresOfWorker } = inputs
  const base = baseOf(paymentsPerS, inputs, citus.serviceMs, citus.walBytes)
  const serverCores = coresFor(paymentsPerS, citus.coordinatorMs, inputs)
  const walMbPerS = (paymentsPerS * citus.walBytes) / 1e6
  const workers = Math.max(
    inputs.fewestWorkers,
    Math.ceil(coresFor(paymentsPerS, citus.workersMs, inputs) / coresOfWorker),
    Math.ceil(walMbPerS / limits.walMbPerS),
  )
  return {
    ...base,
    serverCores,
    workers,
    flushesPerS: (paymentsPerS * citus.flushes) / workers,
    walMbPerS: walMbPerS / workers,
    limits: fullestFirst([
      { part: 'processors of the coordinator', share: serverCores / limits.coresOfServer },
      { part: 'connections', share: base.connections / limits.connections },
    ]),
  }
}

/** Highest peak that a kind of installation can carry, and the part that is full then. */
export function highestRate(
  capacityOf: (paymentsPerS: number, inputs: CapacityInputs) => Capacity,
  inputs: CapacityInputs,
): { paymentsPerS: number; part: string } {
  const isPossible = (rate: number) => (capacityOf(rate, inputs).limits[0]?.share ?? 0) <= 1
  let [lowest, highest] = [0, 1]
  while (isPossible(highest)) [lowest, highest] = [highest, 2 * highest]
  while (highest - lowest > 1) {
    const middle = Math.floor((lowest + highest) / 2)
    if (isPossible(middle)) lowest = middle
    else highest = middle
  }
  return { paymentsPerS: lowest, part: capacityOf(highest, inputs).limits[0]?.part ?? '' }
}

/** Highest peak of one merchant: the shards of a merchant are on one worker. */
export function highestRateOfMerchant({ citus, coresOfWorker, headroom }: CapacityInputs): number {
  return Math.floor((coresOfWorker * (1 - headroom) * 1000) / citus.workersMs)
}

function baseOf(paymentsPerS: number, inputs: CapacityInputs, serviceMs: number, walBytes: number) {
  const { fewestInstances, connectionsOfInstance, traceDays, peakOverMean, disk } = inputs
  const instances = Math.max(fewestInstances, Math.ceil(coresFor(paymentsPerS, serviceMs, inputs)))
  const paymentsPerDay = (paymentsPerS / peakOverMean) * secondsPerDay
  return {
    instances,
    connections: instances * connectionsOfInstance,
    diskGbPerDay: (paymentsPerDay * (disk.keptBytes + disk.traceBytes)) / 1e9,
    walGbPerDay: (paymentsPerDay * walBytes) / 1e9,
    diskTbAfterYear:
      (paymentsPerDay * (daysPerYear * disk.keptBytes + Math.min(traceDays, daysPerYear) * disk.traceBytes)) /
      1e12,
  }
}

/** Cores of which the work leaves the headroom free. */
function coresFor(paymentsPerS: number, ms: number, { headroom }: CapacityInputs): number {
  return (paymentsPerS * ms) / 1000 / (1 - headroom)
}

function fullestFirst(limits: Capacity['limits']): Capacity['limits'] {
  return limits.toSorted((a, b) => b.share - a.share)
}
