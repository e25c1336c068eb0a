import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { apiUrl, pageUrl } from './shop.ts'

/** A test, or a file of them: whose end is waited for. */
export interface CleanupScope {
  after(close: () => void): void
}

/** Somebody else's web server; answers its origin. */
export async function serveSite(t: CleanupScope, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The strictest policy under which the element works, as docs/integrate/element.md has it, and the site's own scripts. */
function policyOf(framed: string): string {
  return [
    "default-src 'none'",
    `script-src ${pageUrl} 'self'`,
    `connect-src ${apiUrl}`,
    `frame-src ${framed}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

/** A merchant's web page with the payment element, two places for it, and a script of the merchant's. Answers its origin. */
export function merchantSite(t: TestContext, script: string, framed = pageUrl): Promise<string> {
  return serveSite(t, ({ url }, response) => {
    response.setHeader('content-security-policy', policyOf(framed))
    response.setHeader('content-type', `text/${url === '/shop.js' ? 'javascript' : 'html'}; charset=utf-8`)
    const body = '<main><h1>Kahveci</h1><div id="pay"></div><div id="other"></div></main>'
    const scripts = `<script src="${pageUrl}/element.js"></script><script src="/shop.js"></script>`
    const page = `<!doctype html><html lang="tr"><title>Kahveci</title><body>${body}${scripts}`
    response.end(url === '/shop.js' ? script : page)
  })
}
