import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { asStaticHtml, html, rawHtml } from '../text/html.ts'
import { gzipHtmlPage } from './gzip.ts'

const same = asStaticHtml(html`<p>${'herkese aynı '.repeat(300)}</p>`)

it('a page decodes to the original, for individual parts of any length', () => {
  for (const own of [
    '',
    'ş'.repeat(40_000),
    ...[65_535, 65_536, 131_071].map((length) => 'x'.repeat(length)),
  ]) {
    const page = html`${same}${rawHtml(own)}${same}<i>${own}</i>`
    assert.equal(gunzipSync(Buffer.from(gzipHtmlPage(page), 'latin1')).toString(), page.text)
  }
})
