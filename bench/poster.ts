// Baseline of deliveries: plain Node that posts the same request repeatedly on connections that it keeps
// open. Its parent sends a `PostTask` and gets the number of requests per second. The process ends with its
// parent.
import type { OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:http'

export interface PostTask {
  url: string
  headers: OutgoingHttpHeaders
  body: string
  count: number
  /** Number of requests in progress at the same time. */
  atOnce: number
}

process.on('message', (task: PostTask) => {
  void run(task).then((perSecond) => process.send?.(perSecond))
})
process.on('disconnect', () => process.exit())

async function run(task: PostTask): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const begunMs = performance.now()
  let left = task.count
  const lane = async () => {
    for (; left > 0; ) {
      left -= 1
      await post(agent, task)
    }
  }
  await Promise.all(Array.from({ length: task.atOnce }, lane))
  agent.destroy()
  return (task.count / (performance.now() - begunMs)) * 1000
}

function post(agent: Agent, { url, headers, body }: PostTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, (answer) => {
      answer.resume().on('end', resolve)
    })
    sent.on('error', reject).end(body)
  })
}
