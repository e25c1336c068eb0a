import { keyValueLimitsKey } from '../../kit/input/fields.ts'
import type { ExpectedOutcome, HostileInput } from './encode-input.ts'
import type { RouteField } from './field.ts'
import { asStored, isAnyIntegerValid, longestValidText } from './samples.ts'

/** Marks a value that no answer is expected to repeat. */
export const anyValue = Symbol('whatever')

/** Texts that have broken other programs. */
export const hostileTexts: Readonly<Record<string, string>> = {
  plain: 'Ada',
  empty: '',
  blank: ' \t\u00a0\u3000 ',
  'zero-width alone': '\u200b',
  'invisible alone': ' \u200b\u00ad\u202e\ufeff ',
  'spaces around': '  Ada  ',
  'a byte order mark in front': '\ufeffAda',
  NUL: 'A\0da',
  'NUL alone': '\0',
  emoji: '💳👩‍👩‍👧',
  'right to left': 'שלום עליכם',
  'bidi controls': 'a\u202eb\u2066c\u2069d\u200f',
  markup: '<script>alert(1)</script>',
  'an image': '"><img src=x onerror=alert(1)>',
  SQL: "'; drop table customers; --",
  quote: "O'Neil",
  'quotes alone': "''",
  percent: '100%',
  'percent of a pattern': '%_%',
  'encoded percent': '%41%00',
  backslash: 'a\\b\\',
  'backslash and quote': "\\'",
  'double quote': 'a"b',
  dollar: '$1 $& {{x}}',
  'lines and tabs': 'a\nb\tc\rd\r\ne',
  'other controls': 'a\u0001\u001b[31m\u007f\u0085b',
  'combining marks': 'Is\u0327ık e\u0301',
  'many marks': `a${'\u0301'.repeat(15)}`,
  'full-width digits': '１２３',
  'Arabic digits': '١٢٣',
  'minus zero': '-0',
  exponent: '1e3',
  'decimal point': '1.0',
  comma: '1,5',
  'leading zero': '007',
  plus: '+5',
  'spaces around a number': ' 5 ',
  hexadecimal: '0x10',
  zero: '0',
  one: '1',
  negative: '-5',
  huge: '99999999999999999999999999',
  'beyond exact': '9007199254740993',
  infinite: 'Infinity',
  'not a number': 'NaN',
  true: 'true',
  false: 'false',
  TRUE: 'TRUE',
  yes: 'yes',
  on: 'on',
  null: 'null',
  undefined: 'undefined',
  'JSON of an object': '{"a":[1]}',
  'JSON of a list': '["a",{"b":1}]',
  'JSON of a text': '"Ada"',
  'broken JSON': '{"a":',
  'a name of every object': '__proto__',
  'another such name': 'constructor',
  'a path': '../../etc/passwd',
  'an address': 'http://169.254.169.254/latest',
}

/** JSON values as text. */
const hostileJson: readonly string[] = [
  ...['0', '1', '5', '-1', '-0', '1.0', '1.5', '1e3', '1E2', '1e400', '99999999999', '100000000000'],
  ...['9007199254740991', '9007199254740993', '99999999999999999999', '-9007199254740991'],
  ...['true', 'false', 'null', '[]', '{}', '[null]', '["Ada"]', '[["Ada"]]', '["Ada","Işık"]', '[1,2]'],
  ...['{"0":"Ada"}', '{"a":{"b":1}}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}'],
  ...['"\\ud800"', '"A\\udc00da"', '"\\ude00\\ud83d"', '"\\u0000"', '"\\u202e"'],
]

/** Encodings that only forms have; `N` is the parameter's name. */
const formsAlone: readonly [string, string, ExpectedOutcome][] = [
  ['bytes that are no UTF-8', 'N=%FF', 'unreadable'],
  ['half a letter', 'N=%C3%28', 'unreadable'],
  ['a surrogate in UTF-8', 'N=%ED%A0%80', 'unreadable'],
  ['an overlong NUL', 'N=%C0%80', 'unreadable'],
  ['half an escape', 'N=A%2', 'unreadable'],
  ['no escape', 'N=%zz', 'unreadable'],
  ['nested too deep', 'N[a][b][c][d][e][f][g][h]=x', 'unreadable'],
]

/** Every unusual input for a parameter whose valid value is `right`. */
export function hostileInputsFor(field: RouteField, right: unknown): HostileInput[] {
  const withName = (form: string) => form.replaceAll('N', () => field.formName)
  return [
    ...textsFor(field, right).map(([about, text]) => ({
      about,
      ...(text.isWellFormed() ? { form: `${field.formName}=${encodeURIComponent(text)}` } : {}),
      json: JSON.stringify(text),
      outcome: ofText(field, text),
    })),
    ...hostileJson.map((json) => ({ about: `the JSON ${json}`, json, outcome: ofJson(field, json) })),
    { about: 'JSON nested too deep', json: '['.repeat(30) + ']'.repeat(30), outcome: 'unreadable' as const },
    ...formsAlone.map(([about, form, outcome]) => ({ about, form: withName(form), outcome })),
    ...['N=1&N=2', 'N[]=1&N[]=2', 'N[0]=1', 'N[a]=1', 'N[7]=1&N[99999]=2'].map((form) => ({
      about: `the form ${form}`,
      form: withName(form),
      outcome: isScalar(field) ? ('refused' as const) : { either: anyValue },
    })),
    ...['N[__proto__]=1', 'N[constructor]=1', 'N'].map((form) => ({
      about: `the form ${form}`,
      form: withName(form),
      outcome: { either: anyValue },
    })),
    ...(field.kind === 'pairs' ? hostilePairsFor(field) : []),
  ]
}

const isScalar = ({ kind }: RouteField) => !['list', 'record', 'pairs'].includes(kind)

/** Hostile texts, texts at and beyond the limits of the parameter, and variations of a valid value. */
function textsFor(field: RouteField, right: unknown): [string, string][] {
  const { maxLength: max, minimum, maximum } = field.schema
  const found = Object.entries(hostileTexts)
  if (minimum !== undefined && maximum !== undefined) {
    found.push(
      ['the least number', String(minimum)],
      ['one below the least', String(minimum - 1)],
      ['the greatest number', String(maximum)],
      ['one above the greatest', String(maximum + 1)],
    )
  }
  if (max !== undefined) {
    found.push(
      ['exactly as long as allowed', 'a'.repeat(max)],
      ['one longer than allowed', 'a'.repeat(max + 1)],
      ['as many emoji as allowed', '💳'.repeat(max)],
      ['one emoji more than allowed', '💳'.repeat(max + 1)],
      ['as many composed letters as allowed', 'e\u0301'.repeat(max)],
      ['hugely long', 'a'.repeat(50_000)],
      ['hugely long, of marks', `a${'\u0301'.repeat(20_000)}`],
      ['as long as allowed, and spaces around', ` ${'a'.repeat(max)} `],
    )
  }
  const longest = longestValidText(field)
  if (longest !== undefined) found.push(['the longest right one', longest])
  if (typeof right !== 'string' || !isScalar(field)) return found
  const around = ["'", '"', '\\', '%', '\0', '\n', '💳', '\u202e', '\u200b', '<b>', ' ', '\ud800']
  return [
    ...found,
    ...around.flatMap((odd): [string, string][] => [
      [`a right value with ${JSON.stringify(odd)} behind it`, right + odd],
      [`a right value with ${JSON.stringify(odd)} in front`, odd + right],
    ]),
    ['a right value in capitals', right.toUpperCase()],
    ['a right value in small letters', right.toLowerCase()],
    [
      'a right value in full width',
      right.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
    ],
  ]
}

/** Hostile names, values and numbers of pairs. */
function hostilePairsFor(field: RouteField): HostileInput[] {
  const { max = 0, maxKey = 0, maxValue = 0 } = field.schema[keyValueLimitsKey] ?? {}
  const count = (pairs: number) =>
    Object.fromEntries(Array.from({ length: pairs }, (_, index) => [`k${index}`, 'v']))
  const lengths = ([letter, most]: [string, number]) => [letter.repeat(most), letter.repeat(most + 1)]
  const values = [
    ...Object.values(hostileTexts),
    ...[
      ['a', maxValue],
      ['💳', maxValue],
    ].flatMap((each) => lengths(each as never)),
  ]
  const keys = [
    ...Object.values(hostileTexts),
    ...[
      ['a', maxKey],
      ['💳', maxKey],
    ].flatMap((each) => lengths(each as never)),
  ]
  const objects = [
    ...values.map((value): [string, string][] => [['key', value]]),
    ...keys.map((key): [string, string][] => [[key, 'value']]),
    Object.entries(count(max)),
    Object.entries(count(max + 1)),
    [
      ['e\u0301', '1'],
      ['é', '2'],
    ] as [string, string][],
    [
      ['a', '1'],
      [' a', '2'],
    ] as [string, string][],
  ]
  return objects.map((entries) => {
    // The JSON is built as text, because a JavaScript object cannot have every name.
    const json = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
    return {
      about: `the pairs ${json.slice(0, 60)}`,
      form: `${field.formName}=${encodeURIComponent(json)}`,
      json,
      outcome: ofPairs(field, entries),
    }
  })
}

function ofPairs(field: RouteField, entries: [string, string][]): ExpectedOutcome {
  const { max = 0, maxKey = 0, maxValue = 0 } = field.schema[keyValueLimitsKey] ?? {}
  const keys = entries.map(([key]) => cleaned(key, maxKey))
  const values = entries.map(([, value]) => cleaned(value, maxValue))
  const isWrong =
    entries.length > max ||
    new Set(keys).size < keys.length ||
    keys.some((key) => key === undefined || key === '') ||
    values.includes(undefined)
  return isWrong ? 'refused' : { taken: keys.map((key, index) => ({ key, value: values[index] })) }
}

/** The text as it is stored; undefined if it must be refused. */
function cleaned(text: string, max: number): string | undefined {
  const clean = [...text].some(isSeen) ? text.trim().normalize('NFC') : ''
  return [...text].some(isControl) || !text.isWellFormed() || [...clean].length > max ? undefined : clean
}

function isControl(letter: string): boolean {
  const code = letter.charCodeAt(0)
  return (code < 32 && !'\t\n\r'.includes(letter)) || (code >= 127 && code < 160)
}

function isSeen(letter: string): boolean {
  return !/[\s\p{Cf}]/u.test(letter)
}

/** Required outcome of a text, in a form or in JSON. */
function ofText(field: RouteField, text: string): ExpectedOutcome {
  if (field.kind === 'plain') return ofAnyText(field, text)
  if (['text', 'judged', 'choice'].includes(field.kind)) return ofPlainText(field, text)
  if (text.trim() === '') return 'blank'
  if (field.kind === 'integer') return isInteger.test(text) ? ofNumber(field, text) : 'refused'
  if (field.kind === 'flag') return flags.get(text) ?? 'refused'
  return isJsonOfMany(text) ? { either: anyValue } : 'refused'
}

const isInteger = /^(?:0|-?[1-9]\d*)$/

const flags: ReadonlyMap<string, ExpectedOutcome> = new Map([
  ['true', { taken: true }],
  ['1', { taken: true }],
  ['false', { taken: false }],
  ['0', { taken: false }],
])

function ofPlainText(field: RouteField, text: string): ExpectedOutcome {
  const { kind, schema } = field
  const clean = cleaned(text, schema.maxLength ?? Number.POSITIVE_INFINITY)
  if (clean === undefined) return 'refused'
  if (clean === '') return 'blank'
  if (kind === 'choice') return schema.enum?.includes(clean) ? { taken: clean } : 'refused'
  const stored = asStored(field, text)
  return kind === 'text' || text === longestValidText(field) ? { taken: stored } : { either: stored }
}

/** A `plain` parameter can be empty. */
function ofAnyText({ schema }: RouteField, text: string): ExpectedOutcome {
  const clean = cleaned(text, schema.maxLength ?? Number.POSITIVE_INFINITY)
  return clean === undefined ? 'refused' : { taken: clean }
}

function ofNumber(field: RouteField, digits: string): ExpectedOutcome {
  const value = Number(digits)
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field.schema
  if (!Number.isSafeInteger(value) || value < minimum || value > maximum) return 'refused'
  return isAnyIntegerValid(field) ? { taken: value } : { either: value }
}

function ofJson(field: RouteField, json: string): ExpectedOutcome {
  if (json === 'null') return 'blank'
  if (json.startsWith('"')) return ofText(field, JSON.parse(json))
  if (field.kind === 'integer' && isInteger.test(json)) return ofNumber(field, json)
  if (field.kind === 'flag' && ['true', 'false', '1', '0'].includes(json)) return ofText(field, json)
  if (field.kind === 'plain' && !isJsonOfMany(json)) return { taken: json }
  if (isScalar(field)) return 'refused'
  return isJsonOfMany(json) ? { either: anyValue } : 'refused'
}

/** True for a JSON list or object. Its contents have their own inputs. */
function isJsonOfMany(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object' && JSON.parse(text) !== null
  } catch {
    return false
  }
}
