import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { asStaticHtml, html } from '../text/html.ts'
import type { EncodedBody } from './content-encoding.ts'
import { encodeBody, encodeHtmlPage, negotiateEncoding } from './content-encoding.ts'

const read = ({ bytes }: EncodedBody) => Buffer.from(bytes, 'latin1')
const negotiated = (header: string | undefined) => negotiateEncoding(header, ['br', 'gzip']).encoding

describe('the negotiated encoding', () => {
  it('is the one with the highest quality; among equals, the one offered first', () => {
    assert.equal(negotiated('gzip, deflate, br, zstd'), 'br')
    assert.equal(negotiated('gzip;q=1.0, br;q=0.9'), 'gzip')
    assert.equal(negotiated('GZIP'), 'gzip')
    assert.equal(negotiated('x-gzip'), 'gzip')
    assert.equal(negotiated('br ; q=0.5 , gzip;q=0.501'), 'gzip')
    assert.equal(negotiateEncoding('gzip, br', ['gzip', 'br']).encoding, 'gzip')
  })

  it('is never one that is refused, unknown or not listed', () => {
    for (const header of [
      undefined,
      '',
      'identity',
      'deflate, zstd',
      'br;q=0, gzip;q=0.000',
      '*;q=0',
      'br;q=2',
    ])
      assert.equal(negotiated(header), undefined, String(header))
    assert.equal(negotiated('br;q=0, *'), 'gzip')
    assert.equal(negotiated('identity, gzip;q=0.5'), undefined)
    assert.equal(negotiated('identity;q=0.5, gzip;q=0.5'), 'gzip')
    assert.equal(negotiated('gzip,'.repeat(1_000)), undefined)
  })
})

describe('a response', () => {
  const long = 'ödeme sayfası '.repeat(200)

  it('is shorter when compressed and decodes to the same text', () => {
    const short = encodeBody(long, 'gzip, br')
    assert.equal(short.encoding, 'gzip')
    assert.ok(short.bytes.length < 200)
    assert.equal(gunzipSync(read(short)).toString(), long)
    assert.equal(brotliDecompressSync(read(encodeBody(long, 'br'))).toString(), long)
    assert.equal(read(encodeBody(long, undefined)).toString(), long)
    assert.equal(encodeBody(long, undefined).encoding, undefined)
  })

  it('stays uncompressed if it is short, unless the caller refuses plain bytes', () => {
    assert.equal(encodeBody('short', 'gzip').encoding, undefined)
    assert.equal(encodeBody('short', 'gzip, identity;q=0').encoding, 'gzip')
    assert.equal(encodeBody('short', 'gzip, *;q=0').encoding, 'gzip')
    assert.equal(encodeBody('short', 'zstd, identity;q=0').encoding, undefined)
  })
})

describe('a page', () => {
  const same = asStaticHtml(html`<p>${'herkese aynı '.repeat(300)}</p>`)

  it('decodes to the original if its only individual part is as long as a joined part can be, or longer', () => {
    for (const length of [16_384, 21_846, 65_536]) {
      const page = html`${same}${'€'.repeat(length)}`
      const sent = encodeHtmlPage(page, 'gzip')
      assert.equal(gunzipSync(read(sent)).toString(), page.text)
    }
  })

  it('decodes to the original, for shared and individual parts of any length', () => {
    for (const own of [
      '',
      '<Işık & Öztürk>',
      '€'.repeat(8_000),
      '€'.repeat(16_000),
      'ş'.repeat(40_000),
      'x'.repeat(65_535),
      'x'.repeat(65_536),
    ]) {
      const page = html`${same}<b>${own}</b>${same}${same}<i>${own}</i>`
      const sent = encodeHtmlPage(page, 'gzip, deflate, br')
      assert.equal(sent.encoding, 'gzip')
      assert.equal(gunzipSync(read(sent)).toString(), page.text)
      assert.ok(sent.bytes.length < Buffer.byteLength(page.text))
    }
  })

  it('is compressed as a whole if most of it is individual', () => {
    const page = html`${same}${'Türk kahvesi, '.repeat(5_000)}`
    const sent = encodeHtmlPage(page, 'gzip')
    assert.equal(gunzipSync(read(sent)).toString(), page.text)
    assert.ok(sent.bytes.length < 5_000)
  })

  it('uses another encoding for a caller that does not accept gzip', () => {
    const page = html`${same}${'!'}`
    assert.equal(brotliDecompressSync(read(encodeHtmlPage(page, 'br'))).toString(), page.text)
    assert.equal(read(encodeHtmlPage(page, undefined)).toString(), page.text)
  })
})
