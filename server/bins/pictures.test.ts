import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { banks, cardBrands, families } from './catalog.ts'
import {
  bankPictures,
  bankPictureUrl,
  brandPictures,
  brandPictureUrl,
  familyPictures,
  familyPictureUrl,
} from './pictures.ts'

const api = await testApi()

describe('200', () => {
  it('every bank, brand and family has a picture that any site can show and cache', async () => {
    const urls = [
      ...[0, ...banks.keys()].map((code) => bankPictureUrl('', code)),
      ...cardBrands.map((brand) => brandPictureUrl('', brand)),
      ...[null, ...families.keys()].map((slug) => familyPictureUrl('', slug)),
    ]
    assert.equal(new Set(urls).size, banks.size + cardBrands.length + families.size + 2)
    for (const url of urls) {
      const answer = await api.call({ url })
      assert.equal(answer.status, 200, url)
      assert.match(
        answer.text,
        /^<svg [^>]* viewBox="0 0 48 (48|32)"[^>]*><title>[^<]+<\/title>.*<\/svg>$/,
        url,
      )
      assert.doesNotMatch(answer.text, /<script|href=|style=|url\(/, url)
      assert.equal(answer.headers['content-type'], 'image/svg+xml; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'public, max-age=2592000')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
    }
  })

  it('a picture has the full name as its title, and no two of one group have the same letters', () => {
    assert.match(bankPictures.get('62') ?? '', /<title>Garanti BBVA<\/title>.*>GB<\/text>/)
    assert.match(bankPictures.get('64') ?? '', /<title>İş Bankası<\/title>.*>İB<\/text>/)
    assert.match(familyPictures.get('miles-smiles') ?? '', /<title>Miles&#38;Smiles<\/title>/)
    for (const pictures of [bankPictures, brandPictures, familyPictures]) {
      const letters = [...pictures.values()].map((picture) => />([^<]+)<\/text>/.exec(picture)?.[1])
      assert.equal(new Set(letters).size, pictures.size)
    }
  })
})

it('addresses begin with the API’s; an unknown bank has a generic bank picture, and no family a generic card', () => {
  const apiUrl = 'https://pay.example/api'
  assert.equal(bankPictureUrl(apiUrl, 62), 'https://pay.example/api/banks/62.svg')
  assert.equal(bankPictureUrl(apiUrl, 9999), 'https://pay.example/api/banks/0.svg')
  assert.equal(brandPictureUrl(apiUrl, 'visa'), 'https://pay.example/api/brands/visa.svg')
  assert.equal(familyPictureUrl(apiUrl, 'bonus'), 'https://pay.example/api/families/bonus.svg')
  assert.equal(familyPictureUrl(apiUrl, null), 'https://pay.example/api/families/other.svg')
})

describe('404 and 405', () => {
  it('an address without a picture is not found, and only reading is allowed', async () => {
    for (const url of [
      '/banks/1.svg',
      '/banks/062.svg',
      '/banks/62',
      '/banks/62.png',
      '/banks/..%2f62.svg',
      '/brands/VISA.svg',
      '/brands/constructor.svg',
      '/families/Bonus.svg',
      '/families/bonus.svg%00',
      '/families/%2e%2e',
    ]) {
      const answer = await api.call({ url })
      assert.deepEqual([answer.status, answer.json.error_code], [404, 921], url)
    }
    const answer = await api.call({ method: 'POST', url: '/banks/62.svg' })
    assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET, HEAD'])
  })
})
