import type { Capacity } from './capacity.ts'
import { capacityOfCitus, capacityOfOneServer, highestRate, highestRateOfMerchant } from './capacity.ts'
import type { CapacityInputs } from './capacity-inputs.ts'
import { capacityInputs } from './capacity-inputs.ts'

const rates = [100, 1_000, 10_000]

/** Section of docs/operate/scale.md with the needs of three rates, their inputs and their assumptions. */
export function capacityMarkdown(inputs: CapacityInputs = capacityInputs): string {
  const [one, citus] = [highestRate(capacityOfOneServer, inputs), highestRate(capacityOfCitus, inputs)]
  return `<!-- Written by scripts/documents.ts from bench/capacity.ts and bench/capacity-inputs.ts. -->

This is a calculation from measured costs, not a measurement of large machines. A payment is a whole payment with 3-D Secure,
from its start to its result.

One PostgreSQL server:

${tableOf(capacityOfOneServer, inputs)}

Citus:

${tableOf(capacityOfCitus, inputs)}

- The largest server of these assumptions carries ${shown(one.paymentsPerS)} payments per second. Its limit is: ${one.part}.
- Citus with as many workers as necessary carries ${shown(citus.paymentsPerS)}. Its limit is: ${citus.part}.
- One merchant on Citus has at most ${shown(highestRateOfMerchant(inputs))} payments per second, because a merchant is on one worker.
- For more than that, run several installations, each with its own merchants and its own database.

A share above 100 % is more than one machine has.

### Costs of one payment

Measured on ${inputs.measured.on}, on ${inputs.measured.machine}, by [\`npm run bench:scale\`](../../bench/README.md#citus).

${costsTable(inputs)}

### Assumptions

${assumptions(inputs)}`
}

function tableOf(capacityOf: typeof capacityOfCitus, inputs: CapacityInputs): string {
  const needs = rates.map((rate) => capacityOf(rate, inputs))
  const isCitus = needs.some(({ workers }) => workers !== undefined)
  const rows: [name: string, cell: (need: Capacity) => string][] = [
    ['instances of the service', ({ instances }) => shown(instances)],
    [isCitus ? 'cores of the coordinator' : 'cores of the server', ({ serverCores }) => shown(serverCores)],
    [`workers with ${inputs.coresOfWorker} cores`, ({ workers = 0 }) => shown(workers)],
    [isCitus ? 'connections to the coordinator' : 'connections', ({ connections }) => shown(connections)],
    [
      isCitus ? 'flushes per second and worker' : 'flushes per second',
      ({ flushesPerS }) => shown(flushesPerS),
    ],
    [isCitus ? 'log per worker, MB/s' : 'log, MB/s', ({ walMbPerS }) => shown(walMbPerS)],
    ['disk per day, GB', ({ diskGbPerDay }) => shown(diskGbPerDay)],
    ['disk after a year, TB', ({ diskTbAfterYear }) => shown(diskTbAfterYear)],
    ['write-ahead log per day, GB', ({ walGbPerDay }) => shown(walGbPerDay)],
    ['fullest part', ({ limits: [fullest] }) => `${fullest?.part}, ${shown(100 * (fullest?.share ?? 0))} %`],
  ]
  const shownRows = rows.filter(([name]) => isCitus || !name.startsWith('workers'))
  return tableWith(
    ['at the peak', ...rates.map((rate) => `${shown(rate)} payments/s`)],
    shownRows.map(([name, cell]) => [name, ...needs.map(cell)]),
  )
}

function costsTable({ plain, citus }: CapacityInputs): string {
  return tableWith(
    ['per payment', 'one server', 'Citus'],
    [
      ['processor time of the service, ms', shown(plain.serviceMs), shown(citus.serviceMs)],
      ['of the server or the coordinator, ms', shown(plain.serverMs), shown(citus.coordinatorMs)],
      ['of all workers, ms', '', shown(citus.workersMs)],
      ['write-ahead log, bytes', shown(plain.walBytes), shown(citus.walBytes)],
      ['flushes of the log', shown(plain.flushes), shown(citus.flushes)],
    ],
  )
}

function assumptions(inputs: CapacityInputs): string {
  const { headroom, peakOverMean, limits, disk, traceDays, connectionsOfInstance } = inputs
  const bytes = shown(disk.keptBytes + disk.traceBytes)
  return [
    'A core is as fast as a core of the machine above. The costs of many machines include networks, which one machine has not.',
    `At the peak, ${shown(100 * headroom)} % of every processor are free: for the loss of a machine, jobs, backups and vacuum.`,
    `The peak is ${peakOverMean} times the mean of a day. Disk and log follow from the mean.`,
    `A payment takes ${bytes} bytes of tables and indexes ([decision 31](../decisions/0031-one-baseline-one-map.md)). Of these, ${shown(disk.traceBytes)} are traces, which are deleted after ${traceDays} days. Nothing else is deleted.`,
    'Replicas and backups need their disk in addition: each as much as what it copies.',
    `An instance uses one core at most, and has ${connectionsOfInstance} connections (\`DATABASE_POOL_SIZE\` of 10). There are at least ${inputs.fewestInstances}.`,
    `A large machine has ${limits.coresOfServer} cores, ${shown(limits.connections)} connections without a pooler, and a disk that takes ${shown(limits.walMbPerS)} MB of write-ahead log per second.`,
    'The flushes are those of eight payers at the same time. With more, commits share a flush, so a slow disk makes payments slower, not fewer.',
    'The merchants are spread evenly over the workers. A very large merchant needs a worker of its own.',
    'Every payment has one attempt. Searches, lists, webhooks, refunds and the background jobs of an idle installation are not counted.',
  ]
    .map((sentence) => `- ${sentence}`)
    .join('\n')
}

function tableWith(head: string[], rows: string[][]): string {
  const lineOf = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [lineOf(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(lineOf)].join('\n')
}

/** Two digits below a hundred, otherwise whole numbers with a space between thousands. */
function shown(value: number): string {
  const number = value < 100 ? Number(value.toPrecision(2)) : Math.round(value)
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ' ')
}
