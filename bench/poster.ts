// What deliveries are compared with: plain Node that posts the same letter over and over, on connections that it keeps, and
// does nothing else. Its parent sends an `Errand` and gets back how many it made in a second. It ends with its parent.
import type { OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:http'

export interface Errand {
  url: string
  headers: OutgoingHttpHeaders
  body: string
  count: number
  /** How many are under way at once. */
  atOnce: number
}

process.on('message', (errand: Errand) => {
  void run(errand).then((perSecond) => process.send?.(perSecond))
})
process.on('disconnect', () => process.exit())

async function run(errand: Errand): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const begunMs = performance.now()
  let left = errand.count
  const lane = async () => {
    for (; left > 0; ) {
      left -= 1
      await post(agent, errand)
    }
  }
  await Promise.all(Array.from({ length: errand.atOnce }, lane))
  agent.destroy()
  return (errand.count / (performance.now() - begunMs)) * 1000
}

function post(agent: Agent, { url, headers, body }: Errand): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) }
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...length } }, (answer) => {
      answer.resume().on('end', resolve)
    })
    sent.on('error', reject).end(body)
  })
}
