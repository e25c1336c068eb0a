import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allowsLoopback, checkWebhookUrl, parseWebhookUrlField } from './url.ts'

const embedded = { databaseUrl: undefined, loopbackWebhooks: 'test' } as const
const served = { ...embedded, databaseUrl: 'postgres://db.example/vezne' }
const closed = { ...embedded, loopbackWebhooks: 'never' } as const
const test = { live: false }
const live = { live: true }

describe('the address of a webhook', () => {
  const accepted = [
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example/hooks?shop=7&a=b', 'https://shop.example/hooks?shop=7&a=b'],
    ['http://shop.example:80/hooks', 'http://shop.example/hooks'],
    ['https://shop.example:80/', 'https://shop.example:80/'],
    ['http://shop.example:443/', 'http://shop.example:443/'],
    ['https://shop.example:1024/', 'https://shop.example:1024/'],
    ['https://shop.example:65535/', 'https://shop.example:65535/'],
    ['HTTPS://Mağaza.Example/ş', 'https://xn--maaza-l1a.example/%C5%9F'],
  ]
  for (const [sent = '', kept] of accepted) {
    it(`${sent} is accepted`, () => {
      assert.deepEqual(parseWebhookUrlField(sent), { value: kept })
    })
  }

  const refused = [
    'shop.example',
    'ftp://shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example/#part',
    'https://shop.example\\@evil.example/',
    'https://shop.example:22/',
    'https://shop.example:25/',
    'http://shop.example:1023/',
    'https://shop.example:0/',
    `https://shop.example/${'a'.repeat(2000)}`,
  ]
  for (const address of refused) {
    it(`${address.slice(0, 70)} is refused`, () => {
      assert.ok('en' in parseWebhookUrlField(address))
    })
  }
})

describe('the addresses that a merchant may use', () => {
  const ours = [
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://shop.localhost/',
    'http://a.shop.localhost.:8080/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.255.255.254/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
  ]
  const nobodys = [
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:db8::1]/',
  ]

  it('only a test merchant on the embedded database may use this machine, unless the operator forbids it', () => {
    for (const address of ours) {
      const url = addressIn(address)
      assert.equal(checkWebhookUrl(embedded, test, url), undefined, address)
      assert.ok(checkWebhookUrl(served, test, url), address)
      assert.ok(checkWebhookUrl(closed, test, url), address)
      const secure = url.replace('http:', 'https:')
      assert.ok(checkWebhookUrl(embedded, live, secure), address)
      assert.ok(checkWebhookUrl(served, live, secure), address)
    }
    assert.deepEqual(
      [embedded, served, closed].flatMap((config) => [
        allowsLoopback(config, test),
        allowsLoopback(config, live),
      ]),
      [true, false, false, false, false, false],
    )
  })

  it('no merchant may use an address outside the public internet', () => {
    for (const address of nobodys)
      for (const [config, merchant] of [
        [embedded, test],
        [served, test],
        [embedded, live],
      ] as const)
        assert.ok(checkWebhookUrl(config, merchant, addressIn(address).replace('http:', 'https:')), address)
  })

  it('a live merchant must use https', () => {
    assert.match(checkWebhookUrl(served, live, 'http://shop.example/')?.en ?? '', /https/)
    for (const address of ['https://shop.example/', 'https://8.8.8.8/', 'https://[2606:4700::1111]/']) {
      assert.equal(checkWebhookUrl(served, live, address), undefined)
      assert.equal(checkWebhookUrl(served, test, address.replace('https:', 'http:')), undefined)
    }
    // Names that only resemble localhost are ordinary names.
    for (const address of ['https://localhost.example/', 'https://notlocalhost/'])
      assert.equal(checkWebhookUrl(served, live, address), undefined)
  })
})

function addressIn(text: string): string {
  const read = parseWebhookUrlField(text)
  assert.ok('value' in read, text)
  return read.value
}
