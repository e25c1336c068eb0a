import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../testing/harness/any-text.ts'
import { testApi } from '../../testing/harness/api.ts'
import { countNotes, createNotesTable, noteRoutes } from '../../testing/harness/notes.ts'
import { repetitions } from '../../testing/harness/tier.ts'
import { parseUrlEncoded } from './body.ts'
import * as complaint from './complaints.ts'
import { integerField, listField, objectSchema, optional, textField } from './fields.ts'
import { parseInputPartially } from './parse-input.ts'

const api = await testApi({ routes: noteRoutes(), env: { RATE_LIMIT_PER_SECOND: '0' } })
await createNotesTable(api.services.sql)
const token = await api.token()

/** Guarantee: every input gets a success or a clear refusal, and a refused input is not stored. */
async function check(body: string, type: string): Promise<void> {
  const answer = await api.call({
    method: 'POST',
    url: '/v1/notes',
    token,
    body,
    headers: { 'content-type': type },
  })
  const outcome = `${answer.status}/${answer.json?.error_code}`
  assert.ok(['200/undefined', '400/900', '422/901'].includes(outcome), `${outcome} for ${body}`)
  if (answer.status === 422) assert.ok(Object.keys(answer.json.errors).length > 0)
  if (answer.status === 200)
    assert.equal(await countNotes(api.services.sql, answer.json.title), 1 + seen(answer.json.title))
}

const titles = new Map<string, number>()

function seen(title: string): number {
  const count = titles.get(title) ?? 0
  titles.set(title, count + 1)
  return count
}

const names = fc.constantFrom(
  'title',
  'amount',
  'urgent',
  'colour',
  'numbers',
  'items',
  'place',
  '__proto__',
  'x',
)
const scalar = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 25 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom('1', '0', '', ' ', '\0', '\ud800', '[1]', '{"key":"a"}', 'red', null),
)
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(names, scalar),
  fc.jsonValue({ maxDepth: 4 }),
)

it('any JSON object is accepted or refused, never an internal error', async () => {
  const record = fc.record({ title: value, amount: value }, { requiredKeys: [] })
  const json = fc
    .tuple(record, fc.dictionary(names, value))
    .map(([one, other]) => JSON.stringify({ ...other, ...one }))
  await fc.assert(
    fc.asyncProperty(json, (body) => check(body, 'application/json')),
    { numRuns: repetitions(500) },
  )
})

it('any form is accepted or refused, with brackets and bytes in any place', async () => {
  const bracket = fc.constantFrom(
    '',
    '[0]',
    '[1][key]',
    '[]',
    '[',
    ']',
    '[999999999]',
    '[a][b][c]',
    '[__proto__]',
    '[-1]',
  )
  const text = fc.oneof(
    fc.constantFrom('a', '1', '%', '%zz', '%00', '%ff', '+', '[1]', '%5B1%5D'),
    fc.string({ maxLength: 20 }),
  )
  const pair = fc.tuple(names, bracket, text).map(([name, index, sent]) => `${name}${index}=${sent}`)
  const form = fc.array(pair, { maxLength: 8 }).map((pairs) => ['title=a', 'amount=1', ...pairs].join('&'))
  const type = 'application/x-www-form-urlencoded'
  await fc.assert(
    fc.asyncProperty(form, (body) => check(body, type)),
    { numRuns: repetitions(500) },
  )
})

it('a text is accepted trimmed and in NFC, with any letters', () => {
  const Text = objectSchema({ text: textField('Any text.', { max: 10 }) })
  // Covers all code points below the combining characters, and some of those.
  for (let code = 0; code <= 0x3ff; code++) {
    for (const sent of [
      `${String.fromCharCode(code)}`,
      `aş${String.fromCharCode(code)}`,
      `a${String.fromCharCode(code)}z`,
    ]) {
      const isControl = /[^\P{Cc}\t\n\r]/u.test(sent)
      const isBlank = /^[\s\p{Cf}]*$/u.test(sent)
      const { value, complaints } = parseInputPartially(Text, { text: sent })
      assert.equal(complaints.size > 0, isControl || isBlank, JSON.stringify(sent))
      if (complaints.size === 0) assert.equal(value.text, sent.trim().normalize('NFC'), JSON.stringify(sent))
    }
  }
  assert.equal(parseInputPartially(Text, { text: 'ğüşıöçĞÜŞİ' }).value.text, 'ğüşıöçĞÜŞİ')
  assert.equal(parseInputPartially(Text, { text: 'ğüşıöçĞÜŞİÖ' }).complaints.size, 1)
})

const Order = objectSchema({
  amount: optional(integerField('The amount.', { min: 1, max: 100 })),
  numbers: optional(listField('Numbers.', textField('A number.', { max: 5 }), { max: 9 })),
})

it('the items of a form keep the order of their indexes, whatever the order of the parameters', () => {
  const { value, complaints } = parseInputPartially(
    Order,
    parseUrlEncoded('numbers[10]=c&numbers[2]=b&numbers[0]=a'),
  )
  assert.equal(complaints.size, 0)
  assert.deepEqual(value.numbers, ['a', 'b', 'c'])
})

it('an index with a leading zero is refused: it would be an item beside the one without', () => {
  for (const sent of ['numbers[01]=b&numbers[00]=a', 'numbers[0]=a&numbers[00]=b'])
    assert.deepEqual([...parseInputPartially(Order, parseUrlEncoded(sent)).complaints.keys()], ['numbers'])
})

it('a field whose name has stray brackets is refused, and an unknown one is ignored', () => {
  for (const sent of ['numbers[0].text=a', 'numbers[0]text=a', 'numbers[=a', 'numbers[0]=a&numbers[1]]=b'])
    assert.deepEqual(
      [...parseInputPartially(Order, parseUrlEncoded(sent)).complaints],
      [['numbers', [complaint.strayBrackets]]],
    )
  assert.equal(parseInputPartially(Order, parseUrlEncoded('other[0].text=a')).complaints.size, 0)
})

it('a list in place of a single value is refused, with a sentence for one item and one for several', () => {
  for (const [sent, sentence] of [
    ['amount[]=1', 'Must be a single value; a list was sent.'],
    ['amount[0]=1', 'Must be a single value; a list was sent.'],
    ['amount=1&amount=2', 'Must be a single value; more than one was sent.'],
  ] as const) {
    const { complaints } = parseInputPartially(Order, parseUrlEncoded(sent))
    assert.deepEqual(
      complaints.get('amount')?.map(({ en }) => en),
      [sentence],
    )
  }
})
