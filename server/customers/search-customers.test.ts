import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'
import type { TestApi } from '../testing/api.ts'
import { testApi } from '../testing/api.ts'
import { backendOf, nextOf } from '../testing/backend.ts'

const env = { RATE_LIMIT_PER_SECOND: '0' }
const api = await testApi({ env })
const backend = backendOf(api)
const url = '/v1/customers/search'

const people = {
  ayse: {
    name: 'Ayşe',
    lastname: 'Işık',
    email: 'ayse.isik@example.com',
    phone: '+905321234567',
    city: 'İstanbul',
    district: 'Kadıköy',
    address: 'Moda Cad. 12/3',
    zip_code: '34710',
  },
  mehmet: {
    name: 'Mehmet Ali',
    lastname: 'Öğüşçü',
    email: 'm.ogus@mail.example.org',
    phone: '+905339876543',
    city: 'ISPARTA',
    district: 'Merkez',
  },
  gulsah: { name: 'GÜLŞAH', lastname: 'Özçelik', email: 'ozcelik@example.com', phone: '+4930901820' },
  john: {
    name: 'John',
    lastname: "O'Neil",
    email: "john.o'neil@corp.example",
    phone: '+14155552671',
    city: 'São Paulo',
    district: 'Bela Vista',
    zip_code: '01310-100',
  },
  maria: {
    name: 'Maria',
    lastname: 'Rossi',
    email: 'MRossi@Example.IT',
    phone: '+390612345678',
    country: 'SM',
  },
}

for (const person of Object.values(people)) {
  assert.equal((await backend.json('/v1/customers', person)).status, 200)
}

const namedBy = new Map(Object.entries(people).map(([name, { email }]) => [email, name]))

/** Who is found, newest first. */
async function found(filters: Record<string, string>): Promise<(string | undefined)[]> {
  const answer = await backend.get(`${url}?${new URLSearchParams(filters)}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['x-total-count'], String(answer.json.length))
  return answer.json.map(({ email }: { email: string }) => namedBy.get(email))
}

async function allFind(who: string, filter: string, values: readonly string[]): Promise<void> {
  for (const value of values) assert.deepEqual(await found({ [filter]: value }), [who], `${filter}=${value}`)
}

async function noneFind(filter: string, values: readonly string[]): Promise<void> {
  for (const value of values) assert.deepEqual(await found({ [filter]: value }), [], `${filter}=${value}`)
}

/** A merchant of its own with so many customers, all alike but for their ids, made within one millisecond. */
async function crowdOf(size: number): Promise<TestApi> {
  const crowd = await testApi({ env, database: api.database })
  const { json } = await backendOf(crowd).json('/v1/customers', people.ayse)
  await crowd.services.sql.run(sql`insert into customers select merchant_id, id + 10000000000000 + number, name,
      lastname, email, phone, country, city, district, address, zip_code, created_via_payment, metadata, changes,
      words, created_at, updated_at, deleted_at
    from customers, generate_series(1, ${size - 1}::int) as number where id = ${json.id}`)
  return crowd
}

describe('200', () => {
  it('without a filter everybody is found, newest first, as customers are read', async () => {
    const answer = await backend.get(url)
    const names = answer.json.map(({ email }: { email: string }) => namedBy.get(email))
    assert.deepEqual(names, Object.keys(people).toReversed())
    assert.equal(answer.headers['x-total-count'], '5')
    assert.equal(answer.headers['link'], undefined)
    const [maria] = answer.json
    assert.deepEqual((await backend.get(`/v1/customers/${maria.id}`)).json, maria)
  })

  it('case and Turkish letters make no difference, in what is looked for and in what is found', async () => {
    await allFind('ayse', 'lastname', ['isik', 'Işık', 'ISIK', 'ışık', 'IŞIK', 'isı'])
    await allFind('ayse', 'city', ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstan'])
    await allFind('mehmet', 'city', ['isparta', 'İSPARTA', 'ısparta'])
    await allFind('mehmet', 'lastname', ['ogusc', 'ÖĞÜŞÇÜ', 'öğüşçü', 'oguscu'])
    await allFind('gulsah', 'name', ['gulsah', 'gülşah', 'GULSAH'])
    await allFind('john', 'city', ['sao', 'São', 'SÃO PAULO'])
  })

  it('a text is found by the beginnings of its words, not by their middles', async () => {
    await allFind('mehmet', 'name', ['meh', 'al', 'ali mehmet', 'meh al'])
    await noneFind('name', ['ehmet', 'hmet', 'mehmet veli', 'mehmetali'])
    await allFind('john', 'lastname', ["o'neil", 'neil', 'o’neil'])
  })

  it('a filter looks in its own field alone, and all filters must fit', async () => {
    assert.deepEqual(await found({ name: 'isik' }), [])
    assert.deepEqual(await found({ name: 'ayse', lastname: 'isik', city: 'istanbul', country: 'tr' }), [
      'ayse',
    ])
    assert.deepEqual(await found({ name: 'ayse', lastname: 'rossi' }), [])
  })

  it('q looks in all text fields, for each of its words in any of them', async () => {
    await allFind('ayse', 'q', ['ayse', 'isik', 'kadikoy', 'moda 12', 'ayse moda istanbul', '34710'])
    await allFind('mehmet', 'q', ['merkez', 'ogus', '+90 533 987 65 43', 'mehmet isparta'])
    await allFind('john', 'q', ['01310-100', '01310', 'bela', 'corp', "john.o'neil@corp.example"])
    assert.deepEqual(await found({ q: 'ayse rossi' }), [])
    assert.deepEqual(await found({ q: 'TR' }), [], 'a country is no text of the customer’s')
  })

  it('an e-mail is found by its words, and with an @ by its beginning as a whole', async () => {
    await allFind('ayse', 'email', [
      'ayse',
      'isik',
      'isik ayse',
      'ayse.isik@example.com',
      'AYSE.ISIK@',
      'ayse.isik@exa',
    ])
    await allFind('maria', 'email', ['mrossi@example.it', 'mrossi'])
    await allFind('john', 'email', ["o'neil", "john.o'neil@corp.example"])
    assert.deepEqual(await found({ email: '@example.com' }), ['gulsah', 'ayse'])
    await noneFind('email', ['isik@example.com', 'ayse@example.com', 'yse', '@'])
    await allFind('ayse', 'q', ['ayse.isik@example.com', 'isik ayse.isik@'])
  })

  it('a phone is found by its beginning, with +90, 0090, 0 or nothing in front, however it is spaced', async () => {
    await allFind('ayse', 'phone', ['+905321234567', '+90 532 123 45 67', '00905321234567', '905321234567'])
    await allFind('ayse', 'phone', ['05321234567', '0532 123', '5321234567', '532', '+90 (532)'])
    await allFind('maria', 'phone', ['+390612345678', '0612345678', '0039 06 1234', '612345678'])
    await allFind('ayse', 'q', ['+905321234567', '0532 123 45 67', '0532', '5321234567', '(532) 123'])
    await allFind('ayse', 'q', ['ayse 0532', '0532 123 isik', 'ayse +90 532 123 45 67', 'isik (0532) 123-45'])
    assert.deepEqual(await found({ q: 'maria 0532' }), [])
    await noneFind('phone', ['1234567', '+', 'yok', '+91532'])
    const unencoded = await backend.get(`${url}?phone=+905321234567`)
    assert.equal(unencoded.json.length, 1)
  })

  it('a country is compared as a whole, in either case', async () => {
    assert.deepEqual(await found({ country: 'tr' }), ['mehmet', 'ayse'])
    assert.deepEqual(await found({ country: 'SM' }), ['maria'])
    assert.deepEqual(await found({ country: 'IT' }), [])
  })

  it('a filter without a word in it finds nothing, one without anything in it is none', async () => {
    for (const filter of ['q', 'name', 'lastname', 'email', 'phone', 'city'])
      await noneFind(filter, ['!', '…', '@'])
    assert.equal((await found({ name: ' ', q: '' })).length, 5)
  })

  it('no match is an empty array', async () => {
    const answer = await backend.get(`${url}?q=nobody`)
    assert.deepEqual(
      [answer.text, answer.headers['x-total-count'], answer.headers['link']],
      ['[]', '0', undefined],
    )
  })

  it('nobody of another merchant is found', async () => {
    const stranger = backendOf(await testApi({ env, database: api.database }))
    assert.deepEqual((await stranger.get(url)).json, [])
    assert.deepEqual((await stranger.get(`${url}?q=ayse`)).json, [])
    assert.deepEqual((await stranger.get(`${url}?country=TR`)).json, [])
  })

  it('texts in the customers found are in the language asked for', async () => {
    const answer = await backend.get(`${url}?q=ayse`, { 'accept-language': 'en' })
    assert.equal(answer.json[0].timeline[0].text, 'The customer was created.')
  })
})

describe('200, by time', async () => {
  const timed = await testApi({ env })
  const own = backendOf(timed)
  const moments = [
    '2026-11-15T20:59:59.999Z',
    '2026-11-15T21:00:00.000Z',
    '2026-11-16T09:30:00.000Z',
    '2026-11-16T09:30:00.999Z',
    '2026-11-16T09:30:01.000Z',
    '2026-11-16T20:59:59.999Z',
    '2026-11-16T21:00:00.000Z',
  ]
  for (const moment of moments) {
    timed.clock.advance(Date.parse(moment) - timed.clock.now().getTime())
    await own.json('/v1/customers', { ...people.ayse, lastname: moment })
  }
  /** The moments found, by their place in the list. */
  const foundAt = async (query: string) => {
    const { json } = await own.get(`${url}?${query}`)
    return json.map(({ lastname }: { lastname: string }) => moments.indexOf(lastname)).toReversed()
  }

  it('a day is one of the merchant’s own calendar, the whole of it', async () => {
    assert.deepEqual(await foundAt('created_from=2026-11-16'), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await foundAt('created_to=2026-11-16'), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(await foundAt('created_from=2026-11-16&created_to=2026-11-16'), [1, 2, 3, 4, 5])
    assert.deepEqual(await foundAt('created_from=2026-11-17&created_to=2026-11-16'), [])
    assert.equal((await foundAt('created_from=1000-01-01&created_to=2999-12-31')).length, moments.length)
    await changeMerchant(timed.services, { merchant: timed.merchant.id, time_zone: 'UTC' })
    assert.deepEqual(await foundAt('created_from=2026-11-16&created_to=2026-11-16'), [2, 3, 4, 5, 6])
    await changeMerchant(timed.services, { merchant: timed.merchant.id, time_zone: 'Europe/Istanbul' })
  })

  it('an instant includes the second that it names, in any offset, its plus encoded or not', async () => {
    for (const instant of [
      '2026-11-16T09:30:00Z',
      '2026-11-16T12:30:00%2B03:00',
      '2026-11-16T12:30:00+03:00',
    ]) {
      assert.deepEqual(await foundAt(`created_from=${instant}`), [2, 3, 4, 5, 6])
      assert.deepEqual(await foundAt(`created_to=${instant}`), [0, 1, 2, 3])
    }
    assert.deepEqual(await foundAt('created_from=2026-11-16T04:30:00-05:00'), [2, 3, 4, 5, 6])
    assert.deepEqual(await foundAt('created_to=2026-11-16T09:30:00.000Z'), [0, 1, 2])
    assert.deepEqual(await foundAt('created_to=2026-11-16T09:30Z'), [0, 1, 2, 3, 4])
  })

  it('created_at as it was answered, given as both ends, finds the record', async () => {
    const { json } = await own.get(`${url}?per_page=1`)
    const at = encodeURIComponent(json[0].created_at)
    assert.deepEqual(await foundAt(`created_from=${at}&created_to=${at}`), [6])
  })

  it('times and words are looked at together', async () => {
    assert.deepEqual(await foundAt('created_from=2026-11-17&name=ayse'), [6])
    assert.deepEqual(await foundAt('created_from=2026-11-17&name=ali'), [])
  })
})

describe('200, page by page', () => {
  it('a page has 20 unless asked otherwise, 1 to 100, and the link leads to the next with the same filters', async () => {
    const own = backendOf(await crowdOf(120))
    const sizes = async (query: string) => {
      const list: number[] = []
      for await (const page of own.pages(`${url}?${query}`)) {
        list.push(page.json.length)
        assert.equal(page.headers['x-total-count'], '120')
      }
      return list
    }
    assert.deepEqual(await sizes(''), [20, 20, 20, 20, 20, 20])
    assert.deepEqual(await sizes('per_page=100&q=isik'), [100, 20])
    assert.deepEqual(await sizes('per_page=60&q=I%C5%9F%C4%B1k&created_from=2026-11-15'), [60, 60])
    const first = await own.get(`${url}?per_page=1&q=I%C5%9F%C4%B1k&phone=+90`)
    assert.match(
      String(first.headers['link']),
      /^<http:\/\/localhost:4242\/v1\/customers\/search\?[!-~]+>; rel="next"$/,
    )
    const next = new URLSearchParams(nextOf(first)?.split('?')[1])
    assert.deepEqual([next.get('q'), next.get('per_page'), next.get('phone')], ['Işık', '1', ' 90'])
  })

  it('customers of one millisecond come once each, the highest id first', async () => {
    const own = backendOf(await crowdOf(25))
    const ids: number[] = []
    for await (const page of own.pages(`${url}?per_page=4`)) {
      ids.push(...page.json.map(({ id }: { id: number }) => id))
    }
    assert.equal(new Set(ids).size, 25)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    )
  })

  it('whoever stays is on the pages exactly once, while others come and go', async () => {
    const crowd = await crowdOf(40)
    const own = backendOf(crowd)
    const all: number[] = (await own.get(`${url}?per_page=100`)).json.map(({ id }: { id: number }) => id)
    const gone = new Set<number>()
    const seen: number[] = []
    for await (const page of own.pages(`${url}?per_page=7&q=isik`)) {
      seen.push(...page.json.map(({ id }: { id: number }) => id))
      crowd.clock.advance(1)
      await own.json('/v1/customers', people.ayse)
      for (const id of [seen.at(-1), all.at(-1 - gone.size)]) {
        if (id === undefined || gone.has(id)) continue
        await own.delete(`/v1/customers/${id}`)
        gone.add(id)
      }
    }
    assert.equal(new Set(seen).size, seen.length, 'nobody twice')
    assert.deepEqual(
      all.filter((id) => !gone.has(id)).filter((id) => !seen.includes(id)),
      [],
      'nobody is left out',
    )
    assert.ok(seen.every((id) => all.includes(id)))
  })

  it('the count is exact up to 1000, and 1000+ above, with and without words', async () => {
    const crowd = await crowdOf(1001)
    const own = backendOf(crowd)
    const counts = async () => {
      const queries = ['', '?q=isik', '?country=TR', '?created_from=2026-11-15', '?q=nobody']
      const answers = await Promise.all(queries.map((query) => own.get(url + query)))
      return answers.map(({ headers }) => headers['x-total-count'])
    }
    assert.deepEqual(await counts(), ['1000+', '1000+', '1000+', '1000+', '0'])
    const [newest] = (await own.get(`${url}?per_page=1`)).json
    await own.delete(`/v1/customers/${newest.id}`)
    assert.deepEqual(await counts(), ['1000', '1000', '1000', '1000', '0'])
  })
})

describe('401', () => {
  it('without a token nobody is found', async () => {
    const answer = await api.call({ url })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key finds nobody', async () => {
    const answer = await api.call({ url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  const faults = async (query: string): Promise<Record<string, string[]>> => {
    const answer = await backend.get(`${url}?${query}`, { 'accept-language': 'en' })
    assert.equal(answer.status, 422, query)
    assert.equal(answer.json.error_code, 901)
    return answer.json.errors
  }

  it('an unknown filter is refused by its name, together with all other faults', async () => {
    const names = 'q, name, lastname, email, phone, country, city, created_from, created_to, after, per_page'
    const unknown = [`There is no such filter. There are: ${names}.`]
    assert.deepEqual(await faults('nmae=ayse'), { nmae: unknown })
    assert.deepEqual(await faults('district=x&page=2&Q=a'), { district: unknown, page: unknown, Q: unknown })
    assert.deepEqual(Object.keys(await faults('per_page=0&nmae=a&country=ZZ')), [
      'country',
      'per_page',
      'nmae',
    ])
    assert.deepEqual(await faults('product_name=a'), { product_name: unknown })
  })

  it('per_page is 1 to 100', async () => {
    for (const size of ['0', '101', '-1'])
      assert.deepEqual(await faults(`per_page=${size}`), { per_page: ['Must be between 1 and 100.'] })
    for (const size of ['x', '1.0', '1e1'])
      assert.deepEqual(Object.keys(await faults(`per_page=${size}`)), ['per_page'])
  })

  it('a time is a day of the calendar, or an instant with its offset', async () => {
    const wrong = [
      '2026-02-30',
      '2026-13-01',
      '15.11.2026',
      'yesterday',
      '2026-11-15T09:30:00',
      '2026-11-15T25:00:00Z',
    ]
    for (const time of [...wrong, '2026-11-15T09:30:00%2B99:00', '0000-01-01', '20261115', '1763188200']) {
      assert.match(String((await faults(`created_from=${time}`))['created_from']), /^Must be a day/, time)
      assert.match(String((await faults(`created_to=${time}`))['created_to']), /^Must be a day/, time)
    }
  })

  it('after is a cursor of ours', async () => {
    const own = Buffer.from('1763188200000.10000000000001').toString('base64url')
    assert.equal((await backend.get(`${url}?after=${own}`)).status, 200)
    const wrong = ['1', 'x', `${own}=`, own.slice(0, -1), Buffer.from('1.2').toString('base64url')]
    for (const after of wrong) assert.deepEqual(Object.keys(await faults(`after=${after}`)), ['after'])
  })

  it('a filter has at most 10 words and 254 characters, and is given once', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join('+')
    assert.equal((await backend.get(`${url}?q=${words(10)}`)).status, 200)
    assert.deepEqual(await faults(`q=${words(11)}`), { q: ['May hold at most 10 words.'] })
    assert.deepEqual(Object.keys(await faults(`name=${'x'.repeat(255)}`)), ['name'])
    assert.deepEqual(Object.keys(await faults('name=a&name=b')), ['name'])
    assert.deepEqual(Object.keys(await faults('country=TUR&country=TR')), ['country'])
  })
})
