import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countryCodes } from '../../kit/money/countries-and-currencies.ts'
import { testApi } from '../../testing/harness/api.ts'

const api = await testApi()

it('every country has a flag that any site may show and cache', async () => {
  for (const country of countryCodes) {
    const answer = await api.call({ url: `/flags/${country.toLowerCase()}.svg` })
    assert.equal(answer.status, 200, country)
    assert.match(answer.text, /^<svg[^>]* viewBox=/, country)
    assert.doesNotMatch(answer.text, /<script|href=/, country)
    assert.equal(answer.headers['content-type'], 'image/svg+xml; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'public, max-age=2592000')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  }
})

it('a code that is not a country has no flag', async () => {
  for (const file of [
    'zz.svg',
    'TR.svg',
    'tr',
    'tr.png',
    'su.svg',
    '..%2f..%2fpackage.json',
    'tr.svg%00',
    '%2e%2e',
  ]) {
    const answer = await api.call({ url: `/flags/${file}` })
    assert.deepEqual([answer.status, answer.json.error_code], [404, 921], file)
  }
  const answer = await api.call({ method: 'POST', url: '/flags/tr.svg' })
  assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, HEAD'])
})
