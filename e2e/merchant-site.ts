import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { apiUrl, pageUrl } from './shop.ts'

/** Test or test file that runs cleanup at its end. */
export interface CleanupScope {
  after(close: () => void): void
}

/** Serves another site and returns its origin. */
export async function serveSite(t: CleanupScope, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Strictest policy under which the element works, as in docs/integrate/element.md, plus the site's own
 * scripts.
 */
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

/**
 * Serves a merchant's web page with the payment element, two containers and the merchant's script. Returns
 * its origin.
 */
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
