import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allowedFramers, pagePolicy } from './content-security-policy.ts'

const config = { pageUrl: 'https://pay.example' }

const https = 'https://shop.example'
const http = 'http://shop.example:8080'

describe('a page can be framed', () => {
  it('by registered origins only', () => {
    assert.match(pagePolicy(config, { colour: null, live: true, origins: [] }), /; frame-ancestors 'none';/)
    assert.match(
      pagePolicy(config, { colour: null, live: true, origins: [https] }),
      /; frame-ancestors 'self' https:\/\/shop\.example;/,
    )
  })

  it('by https origins only, if the merchant is live', () => {
    assert.deepEqual(allowedFramers({ live: true, origins: [http, https] }), [https])
    assert.deepEqual(allowedFramers({ live: false, origins: [http, https] }), [http, https])
  })

  it('by valid origins only: an invalid registered value does not get into a policy', () => {
    const others = [
      '*',
      'https:',
      'https://a.example; script-src *',
      'https://a.example/x',
      "'unsafe-inline'",
      'https://a.example\n',
    ]
    const framedByNobody = pagePolicy(config, { colour: null, live: false, origins: [] })
    for (const origin of others)
      assert.equal(pagePolicy(config, { colour: null, live: false, origins: [origin] }), framedByNobody)
  })
})
