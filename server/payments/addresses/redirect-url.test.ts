import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRedirectUrlField } from './redirect-url.ts'

describe('a redirect URL', () => {
  const accepted = [
    ['https://shop.example', 'https://shop.example/'],
    ['http://localhost:3000/return', 'http://localhost:3000/return'],
    ['https://shop.example:8443/a/b?transaction_id=', 'https://shop.example:8443/a/b?transaction_id='],
    ['https://shop.example/?transaction_id=5', 'https://shop.example/?transaction_id=5'],
    ['https://shop.example/a?transaction_id', 'https://shop.example/a?transaction_id'],
    ['https://shop.example/a?', 'https://shop.example/a?'],
    ['https://198.51.100.7/a', 'https://198.51.100.7/a'],
    ['https://[2001:DB8::1]:8443/a', 'https://[2001:db8::1]:8443/a'],
    ['https://a-b.shop.example./a', 'https://a-b.shop.example./a'],
    ['HTTPS://Mağaza.Example/sipariş', 'https://xn--maaza-l1a.example/sipari%C5%9F'],
  ]
  for (const [sent = '', normalized] of accepted) {
    it(`${sent} is accepted`, () => {
      assert.deepEqual(parseRedirectUrlField(sent), { value: normalized })
    })
  }

  const refused = [
    'shop.example',
    '/return',
    '//shop.example',
    'https:shop.example',
    'https://',
    'https://*/',
    'https://*.example/',
    'https://.example/',
    'https://./',
    'https://a..b/',
    'https://shop.example../',
    'https://-a.example/',
    'https://shop.example:0/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(130)}example/`,
    'ftp://shop.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user@shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example/#',
    'https://shop.example/#part',
    'https://shop.example/?a=1',
    'https://shop.example/?transaction_id=1&a=1',
    'https://shop.example/?transaction_id=1&transaction_id=2',
    'https://shop.example/?Transaction_id=1',
    'https://shop.example\\@evil.example/',
    'https://shop.example/a b',
    'https://shop.example/a\nb',
    `https://shop.example/${'a'.repeat(2000)}`,
    `https://shop.example/${'ş'.repeat(400)}`,
  ]
  for (const address of refused) {
    it(`${JSON.stringify(address).slice(0, 70)} is refused`, () => {
      assert.ok('en' in parseRedirectUrlField(address))
    })
  }

  it('with white space or backslashes is refused by name, because browsers read them differently', () => {
    for (const address of [
      'https://shop.example/a b',
      'https://shop.example\\@evil.example/',
      'https:\\\\shop.example',
    ]) {
      const complaint = parseRedirectUrlField(address)
      assert.ok('en' in complaint)
      assert.equal(complaint.en, 'The address must not contain white space or a backslash (\\).', address)
    }
  })
})
