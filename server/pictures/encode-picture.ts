import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Refused, serviceUnavailable } from '../../kit/input/refusals.ts'
import { within } from '../../kit/runtime/clock.ts'
import type { Services } from '../services.ts'
import { EncodingQueue } from './encoding-queue.ts'
import type { EncodedPicture, PictureFit } from './picture.ts'
import { digestOf, maxPictureSide, tileSide } from './picture.ts'
import type { PictureFault, PictureParameter } from './refusals.ts'
import { refusePicture } from './refusals.ts'

/**
 * Longest time for one picture, half of the usual deadline of a request. On a busy machine a process of low priority waits for most
 * of it.
 */
export const encodingTimeoutMs = 60_000
/** The largest pictures take two seconds on a slow machine. */
const processorSeconds = 10
/** Three times the largest picture with its tile. */
const maxOutputBytes = 8 * 1024 * 1024
/** The largest pictures need half of it. PostgreSQL and payments on the same machine keep the rest. */
const memoryKib = 256 * 1024

const program = join(import.meta.dirname, 'encode-process.mjs')
const flags = ['--jitless', '--max-old-space-size=64', '--max-semi-space-size=1']

type Needs = Pick<Services, 'clock' | 'log' | 'metrics' | 'tasks' | 'processState'>

const encodingQueue = () => new EncodingQueue()

/**
 * Decodes a picture and writes it again as WebP, in a process of its own. Guarantee: no byte that a caller sent is ever
 * served, and a picture that overruns a limit costs that process alone.
 */
export async function encodePicture(
  services: Needs,
  merchantId: number,
  bytes: Buffer,
  fit: PictureFit,
  parameter: PictureParameter = 'image',
): Promise<EncodedPicture> {
  if (!isPicture(bytes)) return refusePicture(parameter, 'unreadable')
  if (hasManyScans(bytes)) return refusePicture(parameter, 'too costly')
  const queue = services.processState.of(encodingQueue)
  const pictures = services.metrics.counter(
    'vezne_pictures_total',
    'Pictures that merchants sent, by result: encoded, refused, overrun, killed.',
    ['result'],
  )
  const outcome = await services.tasks.add(
    queue.run(merchantId, () => encodeInProcess(services, merchantId, bytes, fit)),
  )
  pictures.inc({ result: outcome.result })
  if (outcome.result === 'encoded') return outcome.picture
  if (outcome.result === 'refused') return refusePicture(parameter, outcome.fault)
  if (outcome.result === 'overrun') return refusePicture(parameter, 'too costly')
  throw new Refused(serviceUnavailable, { retryAfterS: 1 })
}

type Outcome =
  | { result: 'encoded'; picture: EncodedPicture }
  | { result: 'refused'; fault: PictureFault }
  | { result: 'overrun' | 'killed' }

async function encodeInProcess(
  { clock, log, tasks }: Needs,
  merchantId: number,
  bytes: Buffer,
  fit: PictureFit,
): Promise<Outcome> {
  // A picture that waited for its turn has missed the abort.
  if (tasks.signal.aborted) throw new Refused(serviceUnavailable, { retryAfterS: 1 })
  const startedAtMs = clock.monotonicMs()
  const child = startProcess(fit)
  const stop = () => child.kill('SIGKILL')
  tasks.signal.addEventListener('abort', stop)
  try {
    const ended = writeAndRead(child, bytes)
    // A busy machine, and not the picture, uses up the time: processor time has a limit of its own.
    const output = await within(clock, encodingTimeoutMs, ended, () => 'killed' as const)
    const outcome = output === 'killed' ? output : outcomeOf(output, child)
    if (typeof outcome !== 'string') return outcome
    const fields = { merchant_id: merchantId, signal: child.signalCode }
    const durationMs = Math.round(clock.monotonicMs() - startedAtMs)
    log.warn(
      { ...fields, duration_ms: durationMs },
      'a process that encodes a picture ended without a result',
    )
    return { result: outcome }
  } finally {
    tasks.signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * The shell sets the limits: of data in memory, of processor time, of files, and the priority. The environment is almost
 * empty, because ours holds secrets.
 */
function startProcess(fit: PictureFit): ChildProcess {
  const limits = `ulimit -c 0 && ulimit -f 0 && ulimit -S -t ${processorSeconds} && ulimit -d ${memoryKib} && exec nice -n 10 "$@"`
  const words = [process.execPath, ...flags, program, String(maxPictureSide), String(tileSide), fit]
  const child = spawn('/bin/sh', ['-c', limits, 'sh', ...words], {
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  return child
}

/** Returns the output of the process at its end. Rejects only if no process could be started. */
export async function writeAndRead(child: ChildProcess, bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxOutputBytes) child.kill('SIGXCPU')
    else chunks.push(chunk)
  })
  // A process that ends early closes its input. Its end says why.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(bytes)
  await once(child, 'close')
  return Buffer.concat(chunks)
}

/**
 * Only the operator or the kernel ends the process by SIGKILL: then the picture may be right. Another signal is the
 * effect of a limit. Without a signal, the program did not run.
 */
function outcomeOf(output: Buffer, { signalCode, exitCode }: ChildProcess): Outcome | 'overrun' | 'killed' {
  if (signalCode) return signalCode === 'SIGKILL' ? 'killed' : 'overrun'
  const end = output.indexOf('\n')
  if (end < 0) throw new Error(`the process that encodes pictures does not run; its exit code is ${exitCode}`)
  const { fault, lengths } = JSON.parse(output.toString('utf8', 0, end)) as Announced
  if (fault) return { result: 'refused', fault }
  const [wholeLength, tileLength] = lengths
  const whole = output.subarray(end + 1, end + 1 + wholeLength)
  const tile = output.subarray(end + 1 + wholeLength, end + 1 + wholeLength + tileLength)
  return { result: 'encoded', picture: { digest: digestOf(whole, tile), whole, tile } }
}

/** First line of the output. */
interface Announced {
  fault?: PictureFault
  lengths: [whole: number, tile: number]
}

const signatures = [
  { type: 'image/png', starts: '89504e470d0a1a0a' },
  { type: 'image/jpeg', starts: 'ffd8ff' },
]

/** True if the first bytes are those of a PNG, a JPEG or a WebP. Nothing else reaches a process. */
function isPicture(bytes: Buffer): boolean {
  const start = bytes.toString('hex', 0, 8)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp || signatures.some(({ starts }) => start.startsWith(starts))
}

/** Programs write about ten. Each costs a pass over all pixels, and takes a few bytes of the file. */
const maxScans = 100
const startOfScan = Buffer.from('ffda', 'hex')

/** True for a JPEG with more scans than programs write. Another file rarely has as many of these bytes by chance. */
function hasManyScans(bytes: Buffer): boolean {
  let scans = 0
  for (let at = bytes.indexOf(startOfScan); at >= 0; at = bytes.indexOf(startOfScan, at + 2)) scans++
  return scans > maxScans
}
