import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../testing/harness/api.ts'
import { countNotes, createNotesTable, noteRoutes } from '../testing/harness/notes.ts'

const api = await testApi({ routes: noteRoutes() })
await createNotesTable(api.services.sql)
const token = await api.token()
const form = (text: string, headers = {}) =>
  api.call({ method: 'POST', url: '/v1/notes', token, form: text, headers })
const json = (value: unknown) => api.call({ method: 'POST', url: '/v1/notes', token, json: value })
const raw = (body: string | Buffer, type: string) =>
  api.call({ method: 'POST', url: '/v1/notes', token, body, headers: { 'content-type': type } })

describe('input', () => {
  it('means the same as a form with indexed keys, as JSON, or as JSON text in one field', async () => {
    const native = {
      title: 'same',
      amount: 1000,
      urgent: true,
      numbers: [3, 1],
      items: [{ key: 'a', value: 'b' }, { key: 'c' }],
      place: { city: 'İzmir' },
    }
    const asForm =
      'title=same&amount=1000&urgent=1&numbers[0]=3&numbers[1]=1&items[0][key]=a&items[0][value]=b&items[1][key]=c&place[city]=%C4%B0zmir'
    const asTexts = new URLSearchParams({
      title: 'same',
      amount: '1000',
      urgent: 'true',
      numbers: '[3,1]',
      items: JSON.stringify(native.items),
      place: JSON.stringify(native.place),
    })
    const textsInJson = { ...native, amount: '1000', items: JSON.stringify(native.items), numbers: '[3, 1]' }
    for (const answer of [
      await json(native),
      await form(asForm),
      await form(String(asTexts)),
      await json(textsInJson),
    ]) {
      assert.deepEqual(answer.json.given, native)
    }
  })

  it('may hold a list of a hundred indexed items, which keep their order; more are refused', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => `numbers[${index}]=${index}`).join('&')
    assert.deepEqual((await form(`title=a&amount=1&${items(100)}`)).json.given.numbers, [
      ...Array(100).keys(),
    ])
    assert.deepEqual((await form(`title=a&amount=1&${items(101)}`)).json.errors, {
      numbers: ['En fazla 100 öğe içerebilir.'],
    })
    assert.deepEqual(
      (await form('title=a&amount=1&numbers[7]=1&numbers[999999]=2')).json.given.numbers,
      [1, 2],
    )
    assert.deepEqual((await form('title=a&amount=1&numbers[]=4&numbers[]=5')).json.given.numbers, [4, 5])
  })

  it('is trimmed and in NFC, blank means missing, and unknown parameters are ignored', async () => {
    assert.equal((await json({ title: '  Is\u0327ık ', amount: 1, nonsense: 1 })).json.given.title, 'Işık')
    assert.equal((await form('title=+%20&amount=1')).json.errors.title[0], 'Bu alan zorunludur.')
    assert.deepEqual(
      (await json({ title: 'a', amount: 1, urgent: '', numbers: '', colour: null, place: ' ' })).json.given,
      {
        title: 'a',
        amount: 1,
      },
    )
    const twenty = '😀'.repeat(20)
    assert.equal((await json({ title: twenty, amount: 1 })).json.given.title, twenty)
  })

  it('takes integers as plain digits and booleans as four words', async () => {
    for (const amount of [
      '12.0',
      '1e3',
      ' 12 ',
      '012',
      '+12',
      '0x10',
      '-0',
      '１２',
      '99999999999999999999',
      'NaN',
      'Infinity',
    ]) {
      const answer = await form(`title=a&amount=${encodeURIComponent(amount)}`)
      assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, ['amount']], amount)
    }
    for (const amount of [1.5, 1e21, -1, 0, true, [], {}, 100_000_000_000]) {
      const answer = await json({ title: 'a', amount })
      assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, ['amount']], String(amount))
    }
    assert.equal((await json({ title: 'a', amount: 99_999_999_999 })).status, 200)
    assert.equal((await raw('{"title":"a","amount":1e400}', 'application/json')).json.error_code, 901)
    for (const amount of ['99.99999999999999999', '1.0', '1e3', '100E-2']) {
      assert.equal(
        (await raw(`{"title":"a","amount":${amount}}`, 'application/json')).json.error_code,
        901,
        amount,
      )
    }
    assert.equal(
      (await raw(`{"title":"a","amount":1${'0'.repeat(5000)}}`, 'application/json')).json.error_code,
      901,
    )
    for (const urgent of ['TRUE', 'yes', 'on', '2', 'null']) {
      assert.deepEqual(Object.keys((await form(`title=a&amount=1&urgent=${urgent}`)).json.errors), ['urgent'])
    }
  })

  it('may be an empty body with any content type', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/xml', '']) {
      const answer = await raw('', type)
      assert.equal(answer.json.error_code, 901, type)
      assert.deepEqual(Object.keys(answer.json.errors), ['title', 'amount'])
    }
  })
})

describe('422', () => {
  it('one response reports every wrong parameter by its sent name, in the requested language', async () => {
    const wrong =
      'title=123456789012345678901&amount=x&urgent=maybe&colour=green&numbers[1]=5&numbers[4]=-3&items[2][value]=123456&place=x'
    const answer = await form(wrong, { 'accept-language': 'en;q=0.8, de' })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.json, {
      status: false,
      message: 'Validation errors occurred.',
      errors: {
        title: ['Must be at most 20 characters long.'],
        amount: ['Must be a whole number, written with digits only.'],
        urgent: ['Must be true, false, 1 or 0.'],
        colour: ['Must be one of: red, blue.'],
        'numbers.4': ['Must be between 0 and 1000.'],
        'items.2.key': ['This field is required.'],
        'items.2.value': ['Must be at most 5 characters long.'],
        place: ['Must be an object of key-value pairs.'],
      },
      error_code: 901,
      data: null,
    })
    const turkish = await form(wrong, { 'accept-language': 'fr' })
    assert.equal(turkish.json.errors.amount[0], 'Yalnızca rakamlardan oluşan bir tam sayı olmalıdır.')
  })

  it('NUL, lone surrogates, lists for scalars and scalars for lists are refused under their parameter', async () => {
    const cases: [object, string][] = [
      [{ title: 'a\0b' }, 'title'],
      [{ title: 'a\ud800' }, 'title'],
      [{ title: ['a'] }, 'title'],
      [{ title: { a: 1 } }, 'title'],
      [{ title: 5 }, 'title'],
      [{ amount: [1] }, 'amount'],
      [{ urgent: [true] }, 'urgent'],
      [{ numbers: 5 }, 'numbers'],
      [{ numbers: '{"a":1}' }, 'numbers'],
      [{ numbers: 'not json' }, 'numbers'],
      [{ numbers: { a: 1 } }, 'numbers'],
      [{ numbers: [[1]] }, 'numbers.0'],
      [{ numbers: [null] }, 'numbers.0'],
      [{ items: ['x'] }, 'items.0'],
      [{ place: [] }, 'place'],
      [{ place: '[1]' }, 'place'],
      [{ numbers: '['.repeat(5000) }, 'numbers'],
    ]
    for (const [changed, key] of cases) {
      const answer = await json({ title: 'a', amount: 1, ...changed })
      assert.equal(answer.status, 422, JSON.stringify(changed))
      assert.deepEqual(Object.keys(answer.json.errors), [key], JSON.stringify(changed).slice(0, 100))
    }
  })

  it('a repeated parameter is refused: it is unclear which value applies', async () => {
    const answer = await form('title=a&amount=1&amount=2', { 'accept-language': 'en' })
    assert.deepEqual(answer.json.errors, { amount: ['Must be a single value; more than one was sent.'] })
    assert.deepEqual(Object.keys((await form('title=a&amount=1&numbers[0]=1&numbers[0]=2')).json.errors), [
      'numbers.0',
    ])
  })
})

describe('400 and 413', () => {
  it('an unreadable request gives 900, never a 500', async () => {
    const deep = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`
    const unreadable: [string | Buffer, string][] = [
      ['{', 'application/json'],
      ['{"title":"a",}', 'application/json'],
      ['[]', 'application/json'],
      ['null', 'application/json'],
      ['"text"', 'application/json'],
      ['1', 'application/json'],
      [deep, 'application/json'],
      ['['.repeat(100_000), 'application/json'],
      ['{"title":"a"}', 'application/json; charset=iso-8859-9'],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'application/json'],
      ['title=%zz', 'application/x-www-form-urlencoded'],
      ['title=%', 'application/x-www-form-urlencoded'],
      ['title=%ff', 'application/x-www-form-urlencoded'],
      ['%c3=1', 'application/x-www-form-urlencoded'],
      [Buffer.from([0x61, 0x3d, 0xfe]), 'application/x-www-form-urlencoded'],
      [`title${'[a]'.repeat(30)}=1`, 'application/x-www-form-urlencoded'],
      [Array.from({ length: 1001 }, (_, i) => `a${i}=`).join('&'), 'application/x-www-form-urlencoded'],
      ['<a/>', 'text/xml'],
      ['title=a', 'text/plain'],
      ['x', 'multipart/form-data; boundary=x'],
      ['title=a', ''],
      ['x', 'nonsense'],
    ]
    for (const [body, type] of unreadable) {
      const answer = await raw(body, type)
      assert.deepEqual(
        [answer.status, answer.json?.error_code],
        [400, 900],
        `${type}: ${String(body).slice(0, 40)}`,
      )
      assert.deepEqual(answer.json.errors, [])
    }
  })

  it('a request built to be slow is refused as fast as any other', async () => {
    const long = [
      [`{"a${'\\"'.repeat(120_000)}`, 'application/json'],
      ['"'.repeat(250_000), 'application/json'],
      ['[]'.repeat(120_000), 'application/json'],
      [`a${'['.repeat(250_000)}`, 'application/x-www-form-urlencoded'],
      ['&'.repeat(250_000), 'application/x-www-form-urlencoded'],
      [
        Array.from({ length: 1000 }, (_, i) => `a[${i}][b][${i}]=1`).join('&'),
        'application/x-www-form-urlencoded',
      ],
      [
        Array.from({ length: 1000 }, (_, i) => `k${i}[999][999][999][999]=1`).join('&'),
        'application/x-www-form-urlencoded',
      ],
      [
        JSON.stringify({ amount: 1, title: `a${'\u0300'.repeat(60_000)}${'\u0323'.repeat(60_000)}` }),
        'application/json',
      ],
      [JSON.stringify({ title: 'a', amount: 1, numbers: Array(120_000).fill(1) }), 'application/json'],
    ] as const
    for (const [body, type] of long) {
      const startedAt = process.cpuUsage()
      const { status } = await raw(body, type)
      const { user } = process.cpuUsage(startedAt)
      assert.ok(status === 400 || status === 422)
      assert.ok(user < 2_000_000, `${user} µs of work for ${body.slice(0, 20)}`)
    }
  })

  it('more than 256 KiB gives 413 with the same code; exactly 256 KiB is read', async () => {
    const body = (size: number) => `title=a&amount=1&x=${'y'.repeat(size - 19)}`
    assert.equal((await form(body(256 * 1024))).status, 200)
    const answer = await form(body(256 * 1024 + 1))
    assert.deepEqual([answer.status, answer.json.error_code], [413, 900])
  })

  it('a malformed query or path gives 900 too', async () => {
    const broken = ['/v1/notes/1?shout=%zz', '/v1/notes/1?shout=%ff', '/v1/notes/%zz']
    for (const url of broken) {
      const answer = await api.call({ url, token })
      assert.deepEqual([answer.status, answer.json.error_code], [400, 900], url)
      assert.ok(answer.headers['x-request-id'])
    }
  })
})

it('prototype-polluting keys are ordinary unknown names: ignored and harmless', async () => {
  const poison = [
    await form(
      'title=a&amount=1&__proto__[urgent]=1&constructor[prototype][urgent]=1&prototype=x&hasOwnProperty=x&toString=x',
    ),
    await raw(
      '{"title":"a","amount":1,"__proto__":{"urgent":true},"constructor":{"prototype":{"urgent":true}}}',
      'application/json',
    ),
    await form('title=a&amount=1&items[__proto__][key]=x&place[__proto__][city]=x').then((answer) => {
      assert.deepEqual(Object.keys(answer.json.errors), ['items', 'place.city'])
      return form('title=a&amount=1')
    }),
  ]
  for (const answer of poison) assert.deepEqual(answer.json.given, { title: 'a', amount: 1 })
  assert.equal(({} as Record<string, unknown>)['urgent'], undefined)
})

describe('404 and 405', () => {
  it('an id that is unknown, of another merchant or malformed gives 920', async () => {
    const mine = await form('title=mine&amount=1')
    const other = await testApi({ routes: noteRoutes(), database: api.database })
    const theirs = await other.token()
    assert.equal((await api.call({ url: `/v1/notes/${mine.json.id}`, token })).status, 200)
    const answers = [
      await other.call({ url: `/v1/notes/${mine.json.id}`, token: theirs }),
      await other.call({ url: '/v1/notes/99999999999999', token: theirs }),
      await other.call({ url: '/v1/notes/abc', token: theirs }),
      await other.call({ url: '/v1/notes/%20', token: theirs }),
      await other.call({ url: '/v1/notes/1e3', token: theirs }),
    ]
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.json.error_code], [404, 920])
      assert.equal(answer.text, answers[0]?.text)
    }
  })

  it('an unknown address gives 921; a known one with another method gives 405 and lists its methods', async () => {
    for (const url of [
      '/',
      '/v1',
      '/v1/nope',
      '/v1/token/get-token/',
      '/V1/token/get-token',
      '/v1//notes',
      `/v1/${'x'.repeat(3000)}`,
    ]) {
      const answer = await api.call({ url })
      assert.deepEqual([answer.status, answer.json.error_code], [404, 921], url)
    }
    const answer = await api.call({ method: 'PUT', url: '/v1/notes/5' })
    assert.deepEqual(
      [answer.status, answer.json.error_code, answer.headers['allow']],
      [405, 921, 'GET, HEAD, DELETE'],
    )
    assert.equal((await api.call({ method: 'OPTIONS', url: '/v1/notes' })).headers['allow'], 'POST')
  })
})

it('an internal error gives 990 with only the request id; the log has the details without secrets', async () => {
  const secret = `${api.secretKey} and 4111 1111 1111 1111`
  const url = `/v1/notes/${encodeURIComponent(secret)}`
  const answer = await api.call({
    method: 'DELETE',
    url,
    token,
    headers: { 'x-request-id': 'my-id_1', 'accept-language': 'en' },
  })
  assert.equal(answer.status, 500)
  assert.deepEqual(answer.json, {
    status: false,
    message: 'An unexpected error occurred. Request ID: my-id_1',
    errors: [],
    error_code: 990,
    data: null,
  })
  const logged = api.lines.filter((line) => line.includes('my-id_1')).join('')
  assert.match(logged, /no note sk_test_\[redacted\] and \[number redacted\]/)
})

it('every response has a request id: the caller’s own if it is valid, otherwise a new one', async () => {
  const idFor = async (id?: string) =>
    (await api.call({ url: '/nope', headers: id === undefined ? {} : { 'x-request-id': id } })).headers[
      'x-request-id'
    ]
  assert.equal(await idFor('Order-17_a'), 'Order-17_a')
  const unfit = [
    '',
    'a b',
    'ş',
    'x'.repeat(65),
    '<script>',
    'a,b',
    '4111111111111111',
    api.secretKey,
    '5528790000000008',
  ]
  for (const id of unfit) assert.notEqual(await idFor(id), id)
  assert.notEqual(await idFor(), await idFor())
})

it('response headers forbid browsers to sniff, cache and frame', async () => {
  const { headers } = await api.call({ url: '/nope' })
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal(headers['strict-transport-security'], undefined)
  const secure = await testApi({ env: { API_URL: 'https://pay.example' } })
  assert.ok((await secure.call({ url: '/nope' })).headers['strict-transport-security'])
})

it('a refused request changes nothing', async () => {
  await form('title=leftover&amount=0')
  assert.equal(await countNotes(api.services.sql, 'leftover'), 0)
})
