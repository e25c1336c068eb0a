import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { encodeHtmlPage } from '../http/content-encoding.ts'
import type { Html } from './html.ts'
import { asStaticHtml, html, rawHtml } from './html.ts'

const read = (page: Html) => gunzipSync(Buffer.from(encodeHtmlPage(page, 'gzip').bytes, 'latin1')).toString()

describe('a value inserted into markup', () => {
  it('is escaped, every special character', () => {
    for (const [sign, escaped] of Object.entries({
      '&': '&#38;',
      '<': '&#60;',
      '>': '&#62;',
      '"': '&#34;',
      "'": '&#39;',
    }))
      assert.equal(html`<p title="${sign}">${[sign]}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
    assert.equal(html`${0}${undefined}${[1, 'ş<']}`.text, '01ş&#60;')
  })

  it('decodes to the original, with characters of any width and from any source', () => {
    const word = 'é ş € 😀'
    for (const made of [
      html`${word}`,
      rawHtml(word),
      asStaticHtml(rawHtml(word)),
      asStaticHtml(rawHtml(word.repeat(300))),
    ])
      assert.equal(read(html`<b>${made}</b>ğ`), `<b>${made.text}</b>ğ`)
    assert.equal(asStaticHtml(rawHtml(word)).text, word)
  })
})
