import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Check } from 'typebox/schema'
import { matchesSchema, Type } from './schema.ts'

const isEven = (value: unknown) => typeof value === 'number' && value % 2 === 0

/** Every builder, with and without options, alone and nested. */
function schemasOf(types: typeof Type) {
  const inner = types.Object({
    must: types.String({ minLength: 1, description: 'A text.' }),
    may: types.Optional(types.Integer({ minimum: 3 })),
  })
  return {
    text: types.String(),
    short: types.String({ maxLength: 2, pattern: '^a' }),
    integer: types.Integer({ minimum: 1, maximum: 9 }),
    number: types.Number(),
    flag: types.Boolean({ description: 'Yes or no.' }),
    none: types.Null(),
    anything: types.Any(),
    unknown: types.Unknown({ description: 'Whatever.' }),
    word: types.Literal('word'),
    one: types.Literal(1),
    choice: types.Enum(['a', 'b']),
    either: types.Union([types.Literal('a'), types.Null()]),
    list: types.Array(types.Integer(), { maxItems: 2 }),
    empty: types.Object({}),
    inner,
    outer: types.Object(
      { inner, other: types.Optional(types.Optional(inner)) },
      { additionalProperties: false },
    ),
    partial: types.Partial(inner),
    unsafe: types.Unsafe<Date>({ type: 'string', format: 'date-time' }),
    even: types.Refine(types.Integer(), isEven),
    maybeEven: types.Object({ even: types.Optional(types.Refine(types.Integer(), isEven)) }),
  }
}

const ours = Object.entries(schemasOf(Type))
const theirs = schemasOf(TypeBox as unknown as typeof Type)
const values = [
  ...['', 'a', 'ab', 'abc', 'b', 'word', '2026-11-15T09:30:00Z', 0, 1, 2, 3, 10, 1.5, true, null],
  ...[
    [],
    [1],
    [1, 2, 3],
    ['a'],
    {},
    { must: 'a' },
    { must: '' },
    { must: 'a', may: 3 },
    { must: 'a', may: 1 },
  ],
  ...[{ inner: { must: 'a' } }, { inner: {} }, { inner: { must: 'a' }, more: 1 }, { even: 2 }, { even: 3 }],
]

describe('schemas', () => {
  for (const [name, schema] of ours) {
    const original = theirs[name as keyof typeof theirs]

    it(`are identical to TypeBox’s: ${name}`, () => {
      assert.equal(JSON.stringify(schema), JSON.stringify(original))
      assert.equal('~optional' in schema, '~optional' in original)
    })

    it(`accept the same values as TypeBox’s: ${name}`, () => {
      for (const value of values)
        assert.equal(matchesSchema(schema, value), Check(original, value), JSON.stringify(value))
    })
  }

  it('keep their marks when they become optional, and the original is not changed', () => {
    const mark = Symbol('mark')
    const marked = Type.String({ [mark]: 1 })
    assert.equal(Reflect.get(Type.Optional(marked), mark), 1)
    assert.equal('~optional' in marked, false)
  })
})
