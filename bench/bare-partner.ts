// The outside parties of `bare_payment`, such as a bank and a merchant's webhook: a plain Node server that
// reads each request and answers it. The process sends its port to its parent and ends with it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answer = JSON.stringify({ message: 'x'.repeat(500) })

const server = createServer((request, response) => {
  request
    .resume()
    .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
process.on('disconnect', () => process.exit())
process.send?.((server.address() as AddressInfo).port)
