// Floods the service with bad credentials from a separate process. It writes to raw sockets, one request at a
// time on each. The task sets the rate; without a rate, or if responses are slower, the responses set it. Its
// parent sends a `FloodTask` and gets a `FloodResult`. The process ends with its parent.
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { uniqueNumberMark } from './request.ts'

export interface FloodTask {
  port: number
  connections: number
  count: number
  /** Duration over which the requests are spread; 0 sends as fast as they are answered. */
  seconds: number
  /** Raw HTTP requests, sent in turn, each with a different number. */
  requests: string[]
}

export interface FloodResult {
  /** Number of responses by status. */
  statuses: Record<string, number>
  seconds: number
}

const tickMs = 4
/** Time after `seconds` at which a flood stops waiting for responses. */
const timeoutMs = 20_000

process.on('message', (flood: FloodTask) => {
  void send(flood).then((flooded) => process.send?.(flooded satisfies FloodResult))
})
process.on('disconnect', () => process.exit())

async function send({ port, connections, count, seconds, requests }: FloodTask): Promise<FloodResult> {
  const statuses: Record<string, number> = {}
  const idle: Socket[] = []
  const sockets = new Set<Socket>()
  let [sent, answered] = [0, 0]
  const open = () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    sockets.add(socket)
    socket.on('connect', () => idle.push(socket))
    socket.on('data', (bytes) => {
      // The status line of a refusal arrives in the first piece. A piece without a status line is the rest of
      // a response.
      const status = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1', 0, 12))?.[1]
      if (status === undefined) return
      statuses[status] = (statuses[status] ?? 0) + 1
      answered += 1
      idle.push(socket)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket) && answered < count && open())
  }
  for (let index = 0; index < connections; index++) open()
  const begunMs = performance.now()
  const elapsedMs = () => performance.now() - begunMs
  while (answered < count && elapsedMs() < seconds * 1000 + timeoutMs) {
    const due = seconds === 0 ? count : Math.min(count, Math.ceil((elapsedMs() / (seconds * 1000)) * count))
    while (sent < due) {
      const socket = idle.pop()
      if (!socket) break
      if (socket.destroyed) continue
      const text = requests[sent % requests.length] ?? ''
      socket.write(
        text.replace(uniqueNumberMark, String(sent).padStart(uniqueNumberMark.length, '0')),
        'latin1',
      )
      sent += 1
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  return { statuses, seconds: elapsedMs() / 1000 }
}
