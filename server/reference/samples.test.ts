import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
import type { Field, Operation } from './assets/request.js'
import { missing, prepare, sendable } from './assets/request.js'
import { coloured, curlOf, nodeOf } from './assets/samples.js'

const nasty = `it's "a" \`b\` $HOME $(id) \\ & Işık\n2`
const field = (name: string, place: Field['place'], kind: Field['kind'], value: string): Field => ({
  name,
  place,
  kind,
  value,
  shown: place === 'path' ? '10000000000001' : '',
  isRequired: place === 'path',
})
const post: Operation = {
  method: 'POST',
  path: '/v1/notes/{note_id}',
  credential: 'secret',
  fields: [
    field('note_id', 'path', 'number', 'a/b'),
    field('title', 'body', 'text', nasty),
    field('amount', 'body', 'number', '1000'),
    field('urgent', 'body', 'flag', 'true'),
    field('items', 'body', 'json', '[{"a-b":"c"}]'),
    field('unsent', 'body', 'text', ''),
  ],
  isKeyed: false,
}
const create: Operation = {
  ...post,
  path: '/v1/notes',
  fields: [field('a', 'body', 'text', 'b')],
  isKeyed: true,
}
const getToken: Operation = {
  ...post,
  path: '/v1/token/get-token',
  credential: 'key',
  fields: [],
  isKeyed: false,
}
const search: Operation = {
  ...post,
  method: 'GET',
  path: '/v1/notes',
  fields: [field('q', 'query', 'text', nasty)],
}

const tokenAnswer = { status: true, data: { access_token: 'token', supports_3d: true } }

/** Runs a sample in the shell, after the one for a token. Returns curl's arguments. */
function wordsOf(sample: string): string[] {
  const curl = `curl() { case "$*" in *get-token*) echo '${JSON.stringify(tokenAnswer)}';; *) printf '%s\\0' "$@";; esac; }`
  const script = [curl, curlOf(getToken, 'https://pay.example'), sample].join('\n')
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
}

/** Arguments that a sample, after the one for a token, passes to `fetch`. */
async function fetchedBy(sample: string): Promise<{ url: string; options: Record<string, unknown> }> {
  const script = [nodeOf(getToken, 'https://pay.example'), sample].join('\n')
  const run = new Function('fetch', 'process', `return (async () => { ${script} })()`)
  const fetched: { url: string; options: Record<string, unknown> }[] = []
  const fetch = (url: string, options: Record<string, unknown>) => {
    fetched.push({ url, options })
    return { json: () => tokenAnswer }
  }
  await run(fetch, { env: { SECRET_KEY: 'sk_test_x' } })
  const [forToken, last] = fetched
  assert.deepEqual(forToken?.options['headers'], { Authorization: 'Bearer sk_test_x' })
  assert.ok(last)
  return last
}

it('the shell sample can be pasted unchanged, with any values', () => {
  const authorization = ['-H', 'Authorization: Bearer token']
  assert.deepEqual(wordsOf(curlOf(post, 'https://pay.example')), [
    'https://pay.example/v1/notes/a%2Fb',
    ...authorization,
    ...['--data-urlencode', `title=${nasty}`],
    ...['--data-urlencode', 'amount=1000'],
    ...['--data-urlencode', 'urgent=true'],
    ...['--data-urlencode', 'items=[{"a-b":"c"}]'],
  ])
  assert.deepEqual(wordsOf(curlOf(search, 'https://pay.example')), [
    '-G',
    'https://pay.example/v1/notes',
    ...authorization,
    ...['--data-urlencode', `q=${nasty}`],
  ])
  assert.deepEqual(wordsOf(curlOf({ ...post, method: 'DELETE', fields: [] }, '')).slice(0, 2), [
    '-X',
    'DELETE',
  ])
})

it('a query of a call with a body is part of the address, and both arrive', async () => {
  const both = {
    ...post,
    fields: [...post.fields, field('q', 'query', 'text', nasty), field('r', 'query', 'number', '7')],
  }
  const [address = '', ...words] = wordsOf(curlOf(both, 'https://pay.example'))
  assert.deepEqual(
    [...new URL(address).searchParams],
    [
      ['q', nasty],
      ['r', '7'],
    ],
  )
  assert.ok(words.includes(`title=${nasty}`))
  assert.ok(!words.some((word) => word === '-G' || word.startsWith('q=')))
  const bodiless = { ...both, fields: [field('q', 'query', 'text', 'a&b')], path: '/v1/notes' }
  assert.deepEqual(wordsOf(curlOf(bodiless, '')).slice(0, 3), ['-X', 'POST', '/v1/notes?q=a%26b'])
  const { url, options } = await fetchedBy(nodeOf(both, 'https://pay.example'))
  assert.deepEqual(
    [...new URL(url).searchParams],
    [
      ['q', nasty],
      ['r', '7'],
    ],
  )
  assert.equal(JSON.parse(String(options['body'])).title, nasty)
})

it('required parameters of the address are in every sample and must be given before it is run', () => {
  const must = { ...field('number', 'query', 'number', ''), shown: '12345678', isRequired: true }
  const lookUp = { ...search, fields: [must, field('more', 'query', 'text', '')] }
  assert.deepEqual(wordsOf(curlOf(lookUp, '')).slice(-2), ['--data-urlencode', 'number=12345678'])
  assert.deepEqual(missing(lookUp), ['number'])
  assert.deepEqual(missing({ ...lookUp, fields: [{ ...must, value: '87654321' }] }), [])
  assert.deepEqual(missing({ ...post, fields: [{ ...must, place: 'body', shown: '' }] }), [])
})

it('the Node sample runs, and sends values with their own types', async () => {
  const { url, options } = await fetchedBy(nodeOf(post, 'https://pay.example'))
  assert.equal(url, 'https://pay.example/v1/notes/a%2Fb')
  assert.equal(options['method'], 'POST')
  assert.deepEqual(options['headers'], { Authorization: 'Bearer token', 'Content-Type': 'application/json' })
  assert.deepEqual(JSON.parse(String(options['body'])), {
    title: nasty,
    amount: 1000,
    urgent: true,
    items: [{ 'a-b': 'c' }],
  })
  const read = await fetchedBy(nodeOf(search, 'https://pay.example'))
  assert.equal(new URL(read.url).searchParams.get('q'), nasty)
  assert.equal(read.options['body'], undefined)
})

it('a call that creates a record has an Idempotency-Key, a new one at each run', async () => {
  const inShell = () => {
    const words = wordsOf(curlOf(create, 'https://pay.example'))
    return words.find((word) => word.startsWith('Idempotency-Key: '))?.split(': ')[1] ?? ''
  }
  const inNode = async () => {
    const { options } = await fetchedBy(nodeOf(create, 'https://pay.example'))
    return (options['headers'] as Record<string, string>)['Idempotency-Key'] ?? ''
  }
  const keys = [inShell(), inShell(), await inNode(), await inNode()]
  for (const key of keys) assert.match(key.replaceAll('-', ''), /^[\da-f]{32}$/, 'as random as a UUID')
  assert.equal(new Set(keys).size, keys.length)
})

it('an image is sent from a file', async () => {
  const image = { ...post, fields: [], path: '/v1/notes/7/image', isImage: true }
  assert.deepEqual(wordsOf(curlOf(image, 'https://pay.example')).slice(3), [
    ...['-H', 'Content-Type: image/png'],
    ...['--data-binary', '@image.png'],
  ])
  assert.match(
    nodeOf(image, ''),
    /'Content-Type': 'image\/png',\n {2}\},\n {2}body: await readFile\('image\.png'\)/,
  )
  const { body, headers } = sendable(prepare(image), { credential: 'x', language: 'tr', idempotencyKey: '' })
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(Buffer.from(body ?? '').toString('latin1', 1, 4), 'PNG')
})

it('a long address has its own line', () => {
  assert.match(curlOf(search, 'https://pay.example'), /^curl -G https:\/\/pay\.example\/v1\/notes \\\n/)
  const far = `https://${'long'.repeat(9)}.example`
  assert.match(curlOf(search, far), /^curl -G \\\n {2}https:\/\/long/)
  assert.equal(wordsOf(curlOf(search, far))[1], `${far}/v1/notes`)
})

it('a path without a value shows a placeholder of the right form', () => {
  const blank = { ...post, fields: [field('note_id', 'path', 'number', '')] }
  assert.match(curlOf(blank, ''), /\/v1\/notes\/10000000000001 /)
})

it('a body shows a placeholder for a required id until it is given', () => {
  const must = { ...field('note_id', 'body', 'number', ''), shown: '10000000000001', isRequired: true }
  const copy = { ...create, fields: [must, field('a', 'body', 'text', 'b')] }
  assert.ok(wordsOf(curlOf(copy, 'https://pay.example')).includes('note_id=10000000000001'))
  assert.deepEqual(missing(copy), ['note_id'])
  const mine = { ...create, fields: [{ ...must, value: '7' }] }
  assert.ok(wordsOf(curlOf(mine, 'https://pay.example')).includes('note_id=7'))
})

it('colours change no letter of the sample', () => {
  const json = JSON.stringify({ a: [1, -2.5, true, null, nasty], 'b:': {} }, null, 2)
  const texts = [
    [curlOf(post, ''), 'curl'],
    [nodeOf(post, ''), 'node'],
    [curlOf(getToken, ''), 'curl'],
    [curlOf(create, ''), 'curl'],
    [nodeOf(create, ''), 'node'],
    [json, 'json'],
    ['', 'json'],
  ] as const
  for (const [text, language] of texts) {
    const pieces = coloured(text, language)
    assert.equal(pieces.map((piece) => piece.text).join(''), text)
  }
  const kinds = coloured('{\n  "a": "b",\n  "c": 1,\n  "d": null\n}', 'json').map(({ kind }) => kind)
  assert.deepEqual(
    kinds.filter((kind) => kind !== ''),
    ['name', 'string', 'name', 'number', 'name', 'word'],
  )
})
