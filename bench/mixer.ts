// Generator of a mixed load in a separate process. Its parent sends a `MixTask` and gets a `MixResult`. The
// process ends with its parent.
import { once } from 'node:events'
import { Agent, request as open } from 'node:http'
import { HttpSender } from '../testing/till/http-sender.ts'
import { payOnce } from '../testing/till/pay-over-http.ts'
import type { HttpRequest } from './request.ts'

/**
 * Requests of one kind, sent in turn and repeatedly. The requests of a whole payment depend on each other.
 */
export type RequestKind = { name: string; share: number } & (
  | { port: number; requests: HttpRequest[] }
  | { form: string }
)

export interface MixTask {
  apiUrl: string
  pageUrl: string
  secretKey: string
  connections: number
  seconds: number
  kinds: RequestKind[]
}

/** Response times of one kind, and its wrong responses. */
export interface KindTimes {
  name: string
  tookMs: number[]
  errors: string[]
}

export interface MixResult {
  taken: KindTimes[]
  /** Share of one core that this process used. */
  load: number
}

/**
 * Time at the start that is not counted, because all connections open and send at the same time. Errors still
 * count.
 */
const settlingMs = 2_000

/** Keeps the connections of all payers from one payment to the next. */
const payers = new HttpSender()

process.on('message', (assignment: MixTask) => {
  void mix(assignment).then((mixed) => process.send?.(mixed))
})
process.on('disconnect', () => process.exit())

/**
 * Each connection has one request in progress and takes the next kind in turn when it is answered. So each
 * kind keeps its share of the requests, and slow kinds occupy most connections.
 */
async function mix(assignment: MixTask): Promise<MixResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: assignment.connections })
  const senders = assignment.kinds.map((kind) => senderOf(kind, assignment, agent))
  const taken = assignment.kinds.map(({ name }): KindTimes => ({ name, tookMs: [], errors: [] }))
  const [cpuAtStart, startedAtMs] = [process.cpuUsage(), performance.now()]
  const countedFromMs = startedAtMs + settlingMs
  const endAtMs = countedFromMs + assignment.seconds * 1000
  const sequence = sequenceOf(assignment.kinds)
  let next = 0
  const work = async () => {
    for (let sentAtMs = performance.now(); sentAtMs < endAtMs; sentAtMs = performance.now()) {
      const kind = sequence[next++ % sequence.length] as number
      const failed = await senders[kind]?.().catch((error: Error) => error.message)
      if (sentAtMs >= countedFromMs) taken[kind]?.tookMs.push(performance.now() - sentAtMs)
      if (failed !== undefined) taken[kind]?.errors.push(failed)
    }
  }
  await Promise.all(Array.from({ length: assignment.connections }, work))
  agent.destroy()
  const { user, system } = process.cpuUsage(cpuAtStart)
  return { taken, load: (user + system) / 1000 / (performance.now() - startedAtMs) }
}

/** Indexes of the kinds, each as often as its share and evenly spread. */
function sequenceOf(kinds: readonly RequestKind[]): number[] {
  return kinds
    .flatMap(({ share }, kind) =>
      Array.from({ length: share }, (_, index) => ({ kind, at: (index + 0.5) / share })),
    )
    .toSorted((a, b) => a.at - b.at)
    .map(({ kind }) => kind)
}

/** Returns a function that sends the next request of a kind and returns the error, if any. */
function senderOf(kind: RequestKind, assignment: MixTask, agent: Agent): () => Promise<string | undefined> {
  if ('form' in kind) return () => payOnce(payers, assignment, kind.form).then(() => undefined)
  const { port, requests } = kind
  let sent = 0
  return () => send(agent, port, requests[sent++ % requests.length] as HttpRequest)
}

async function send(
  agent: Agent,
  port: number,
  { method, path, headers = {}, body }: HttpRequest,
): Promise<string | undefined> {
  const request = open({ agent, host: '127.0.0.1', port, path, method, headers })
  request.end(body)
  const [answer] = await once(request, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  if (answer.statusCode === 200) return undefined
  return `${answer.statusCode}: ${Buffer.concat(parts).toString().slice(0, 300)}`
}
