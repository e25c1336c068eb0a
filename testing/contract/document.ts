import { createHash } from 'node:crypto'
import type { RequiredCredential } from '../../kit/api/route.ts'
import type { Contract, ContractEndpoint, ContractFields } from './contract-schema.ts'

type Row = Record<string, string>

/** A row about a field or a parameter. */
interface DocumentedField {
  name: string
  type: string
  notes: string
  required: string
}

/**
 * Reads the document that describes the interface. Guarantee: the contract has every row of every table, also a
 * row that the reader does not know. Only the tables of states are passed over. Throws if another table is left.
 */
export function readContract(text: string): Contract {
  const sections = sectionsOf(text)
  const sectionOf = (title: string) =>
    sections.find((each) => each.title === title) ?? { title, above: '', body: '', tables: [] }
  const resources = sections
    .filter(({ above }) => above === 'Resources and their fields')
    .map((section) => ({ title: section.title.replace(/ \(.*/, ''), fields: fieldsIn(section, 'Field') }))
  const fields = resources.flatMap((resource) => resource.fields)
  const envelope = fieldsIn(sectionOf('Common response envelope'), 'Field')
  const codes = takeTable(sectionOf('Errors'), 'error_code')
  const contract: Contract = {
    requests: {
      prefix: quoted(sectionOf('Versioning').body),
      ...named(conventions, takeTable(sectionOf('Common request conventions'), 'Item'), quoted),
    } as Contract['requests'],
    envelope: { success: envelopeFields(envelope, 'success'), failure: envelopeFields(envelope, 'failure') },
    resources: Object.fromEntries([
      ...resources.map((resource) => [resource.title, typesOf(resource.fields)]),
      ...fields.flatMap((field) => (field.type === 'object' ? [[typeOf(field), fieldsInside(field)]] : [])),
    ]),
    endpoints: Object.fromEntries(
      takeTable(sectionOf('Endpoints'), 'Method').map((row) => endpointOf(row, sectionOf)),
    ),
    statuses: statusesOf(fields),
    codes: Object.fromEntries(codes.map(({ error_code: code, HTTP = 'not shown' }) => [code, HTTP])),
    limits: {
      ...named(
        limits,
        takeTable(sectionOf('Limits'), 'Limit'),
        (value) => Number.parseInt(value, 10) || value,
      ),
      idDigits: Number(/Identifiers of .* \(about (\d+) digits\)/.exec(text)?.[1]),
      fractionDigits: /last two digits .* fractional part/.test(text) ? 2 : Number.NaN,
    } as Contract['limits'],
  }
  const left = sections.filter(({ above, tables }) => above !== 'States and transitions' && tables.length > 0)
  if (left.length > 0)
    throw new Error(`the document has unread tables: ${left.map(({ title }) => title).join(', ')}`)
  return contract
}

/** Our names of the rows in two tables. */
const conventions: Row = {
  'Authorization header': 'authorization',
  'Accept-Language header': 'languages',
  'Content-Type for POST writes': 'contentTypes',
  'Arrays in form bodies': 'formNames',
  'Arrays of objects given as one field': 'jsonTexts',
}
const limits: Row = {
  'Access token lifetime': 'accessTokenMinutes',
  'BIN length': 'binDigits',
  'Amount unit': 'amountUnit',
}

/** Values of a table with two columns, under our names. */
function named(names: Row, rows: Row[], read: (text: string) => unknown): Record<string, unknown> {
  const pairs = rows.map((row) => Object.values(row))
  return Object.fromEntries(pairs.map(([name = '', text = '']) => [names[name] ?? name, read(text)]))
}

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, words]) => words).join(', ')

interface Section {
  title: string
  /** Title of the level-2 section that contains this one. */
  above: string
  body: string
  /** Lines of the tables that are not yet read, in cells. */
  tables: string[][][]
}

function sectionsOf(text: string): Section[] {
  let above = ''
  return text.split(/^(?=#{2,3} )/m).map((part) => {
    const [, marks = '', title = '', body = part] = /^(#{2,3}) ([^\n]*)\n(.*)$/s.exec(part) ?? []
    if (marks === '##') above = title
    return { title, above, body, tables: tablesOf(body) }
  })
}

function tablesOf(body: string): string[][][] {
  const blocks = body.split(/\n{2,}/).map((block) => block.split('\n').filter((line) => line.startsWith('|')))
  return blocks.filter((lines) => lines.length > 0).map((lines) => lines.map(cells))
}

/** Rows of the first unread table whose first column has this title. The table is then read. */
function takeTable({ tables }: Section, firstColumn: string): Row[] {
  const index = tables.findIndex(([header]) => header?.[0] === firstColumn)
  if (index === -1) return []
  const [header = [], , ...rows] = tables.splice(index, 1).flat()
  return rows.map((row) => Object.fromEntries(header.map((title, index) => [title, row[index] ?? ''])))
}

const cells = (line: string) =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim())

function fieldsIn(section: Section, firstColumn: 'Field' | 'Parameter'): DocumentedField[] {
  return takeTable(section, firstColumn).map((row) => ({
    name: row[firstColumn] ?? '',
    type: row['Type'] ?? '',
    notes: row['Notes'] ?? row['Rule'] ?? row['Meaning'] ?? '',
    required: row['Required'] ?? 'no',
  }))
}

/** The meaning of a field can show its value on success or on failure. Otherwise its type applies. */
function envelopeFields(fields: DocumentedField[], outcome: string): ContractFields {
  const value = new RegExp(`(?:^|[;,] )([\\w ]+) on ${outcome}`)
  const entries = fields.map(({ name, type, notes }) => [name, value.exec(notes)?.[1]?.toLowerCase() ?? type])
  return Object.fromEntries(entries)
}

/** Fields of a nested object, which its notes list: `name (string), slug (string), created_at`. */
function fieldsInside({ notes }: DocumentedField): ContractFields {
  const listed = [...notes.matchAll(/(\w+)(?: \((\w+)\))?/g)]
  const untyped = (name: string) => (name.endsWith('_at') ? 'time' : 'not shown')
  return Object.fromEntries(listed.map(([, name = '', type = untyped(name)]) => [name, type]))
}

/** A status is shown by the note of its text: "`success` for 1". */
function statusesOf(fields: DocumentedField[]): Contract['statuses'] {
  const shown = fields.flatMap(({ name, notes }) => {
    const [, text, number = ''] = /`(\w+)` for (\d+)/.exec(notes) ?? []
    return text === undefined ? [] : [[name.replace(/_text$/, ''), { [number]: text }]]
  })
  return Object.fromEntries(shown)
}

/** Our word for a type with certain notes. The first that matches applies. */
const words: readonly [type: string, notes: RegExp, word: string][] = [
  ['string', /ISO 8601/, 'time'],
  ['string', /`DD\.MM\.YYYY HH:mm`/, 'display time'],
  ['string', /`\+<digits>`/, 'dialling code'],
  ['string', /ISO 4217/, 'currency'],
  ['string', /ISO 3166-1 alpha-2/, 'country'],
  ['string', /comma separator/, 'decimal comma'],
  ['string', /dot separator/, 'decimal point'],
  ['string', /International format/, 'phone'],
  ['string', /only `transaction_id`/, 'return address'],
  ['integer', /minor unit/i, 'amount'],
  ['integer', /exactly 8 digits|queried BIN/, 'BIN'],
  ['array', /Items/, 'array of items'],
  ['array of integer', /Identifiers of/, 'array of id'],
  ['JSON object string of key-to-value pairs', /^/, 'pairs'],
]

/** Ids in a path are integers, like all ids. */
const anyId = { type: 'integer', notes: '', required: 'yes' }

const ids = /^(id|(merchant|customer|product|transaction)_id)$/

function typeOf({ name, type, notes }: Pick<DocumentedField, 'name' | 'type' | 'notes'>): string {
  const [plain = '', ...others] = type.replace(/ ?[(,].*/, '').split(' or ')
  const [, , word] = words.find(([each, noted]) => each === plain && noted.test(`${type}; ${notes}`)) ?? []
  return [word ?? wordByName(name, plain, notes), ...others].join(' or ')
}

function wordByName(name: string, type: string, notes: string): string {
  if (type === 'integer' && ids.test(name)) return 'id'
  if (type === 'object') return capital(name.replaceAll('_', ' '))
  if (type !== 'string' || !/^Observed (value )?`/.test(notes)) return type
  return / for \d/.test(notes)
    ? `text of ${name.replace(/_text$/, '')}`
    : quoted(notes).replaceAll(', ', ' | ')
}

const typesOf = (fields: DocumentedField[]): ContractFields =>
  Object.fromEntries(fields.map((field) => [field.name, `${typeOf(field)}${requiredness(field)}`]))

function requiredness({ required, notes }: DocumentedField): string {
  const [, other] = /Becomes required when (\w+) is given/.exec(notes) ?? []
  if (required === 'no') return other === undefined ? '' : `, required with ${other}`
  return required === 'yes' ? ', required' : ', unclear'
}

function endpointOf(row: Row, sectionOf: (title: string) => Section): [string, ContractEndpoint] {
  const url = (row['Path'] ?? '').replace(/\?.*/, '')
  const name = `${row['Method'] === 'DEL' ? 'DELETE' : row['Method']} ${url}`
  const section = sectionOf(name)
  const { body } = section
  const parameters = fieldsIn(section, 'Parameter')
  const inProse = (pattern: RegExp, required: string) => {
    const found = [...body.matchAll(pattern)]
    return typesOf(found.map(([, name = '', type = '', notes = '']) => ({ name, type, notes, required })))
  }
  const answer = answerIn(body)
  const endpoint: ContractEndpoint = {
    credential: credentialOf(row['Token'] ?? ''),
    path: {
      ...typesOf([...url.matchAll(/:(\w+)/g)].map(([, id = '']) => ({ ...anyId, name: id }))),
      ...inProse(/^- Path parameter: (\w+), (\w+)(.*)$/gm, 'yes'),
    },
    query: inProse(/^- Query parameter `(\w+)`: (\w+), required(.*)$/gm, 'yes'),
    body: typesOf(parameters),
    anywhere: inProse(/^- Optional filter: `(\w+)`, (\w+)(.*)$/gm, 'no'),
    items: Object.fromEntries(parameters.map((parameter) => [parameter.name, itemsOf(parameter)])),
    ...(answer && { answer }),
  }
  return [name, endpoint]
}

/** Fields of the items of a list: "name (string, required)" or, without types, "Items with `key` and `value`". */
function itemsOf({ notes }: DocumentedField): ContractFields {
  const typed = [...notes.matchAll(/(\w+) \((\w+)([^)]*), (required|optional)\)/g)]
  const [, ...untyped] = /Items with `(\w+)` and `(\w+)`/.exec(notes) ?? []
  const items = typed.map(([, name = '', type = '', rule = '', need]) => {
    return { name, type, notes: rule, required: need === 'required' ? 'yes' : 'no' }
  })
  return typesOf([
    ...items,
    ...untyped.map((name) => ({ name, type: 'not shown', notes: '', required: 'yes' })),
  ])
}

/** A public-key token only starts 3DS payments. Every other endpoint needs a secret-key token. */
function credentialOf(token: string): RequiredCredential {
  if (token.startsWith('key')) return 'key'
  if (token.includes('public-key')) return 'any'
  if (token === 'access token' || token === 'secret-key token') return 'secret'
  throw new Error(`the document asks for an unknown credential: ${token}`)
}

/** Meaning of the sentences about the answer. */
function answerIn(body: string): string | undefined {
  const [, result] = /`data` = ([\w ]+ result)/i.exec(body) ?? []
  if (result !== undefined) return `envelope of ${capital(result)}`
  if (/^Response: envelope .*data null/m.test(body)) return 'envelope of null'
  const [, listed] = /Response: array of ([\w ]+?)ies\./.exec(body) ?? []
  return listed === undefined
    ? /Response: (?:the )?([A-Z][\w ]*?)(?: resource)?\./.exec(body)?.[1]
    : `array of ${listed}y`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A difference between our contract and the document, with its reason. */
export interface ContractDifference {
  reason: string
  /** Our words, as `inWords` gives them, by the fact or the beginning of facts that the document leaves out. */
  silent?: Readonly<Record<string, string>>
  /** The document's words and ours by their fact. */
  instead?: Readonly<Record<string, { theirs: string; ours: string }>>
}

/** Differences between our contract and the document that are not listed, and listed ones that do not exist. */
export function documentFaults(
  ours: Contract,
  theirs: Contract,
  differences: readonly ContractDifference[],
): string[] {
  const [our, their] = [factsOf(ours), factsOf(theirs)]
  const open = new Set([...our.keys(), ...their.keys()].filter((fact) => our.get(fact) !== their.get(fact)))
  const faults: string[] = []
  for (const [beginning, words] of differences.flatMap(({ silent = {} }) => Object.entries(silent))) {
    const left = [...open].filter((fact) => !their.has(fact) && `${fact} `.startsWith(`${beginning} `))
    const found = inWords(left.map((fact) => `${fact.slice(beginning.length)} ${our.get(fact)}`.trim()))
    if (found !== words) faults.push(`${beginning}: the document leaves out "${found}", listed is "${words}"`)
    for (const fact of left) open.delete(fact)
  }
  for (const [fact, { theirs, ours }] of differences.flatMap(({ instead = {} }) => Object.entries(instead))) {
    if (!open.delete(fact)) faults.push(`${fact}: no difference, or listed twice`)
    else if (their.get(fact) !== theirs)
      faults.push(`${fact}: the document has "${their.get(fact)}", listed is "${theirs}"`)
    else if (our.get(fact) !== ours) faults.push(`${fact}: ours is "${our.get(fact)}", listed is "${ours}"`)
  }
  const unlisted = [...open].map(
    (fact) => `${fact}: ours is "${our.get(fact)}", the document has "${their.get(fact)}"`,
  )
  return [...faults, ...unlisted]
}

/** Facts in one line. A long line is replaced with the number of its facts and a digest. */
function inWords(facts: string[]): string {
  const line = facts.toSorted().join('; ')
  if (line.length <= 120) return line
  return `${facts.length} facts, digest ${createHash('sha256').update(line).digest('hex').slice(0, 12)}`
}

/** Facts of a contract by their path: `endpoints POST /v1/customers body name`. */
export function factsOf(part: object): Map<string, string> {
  const facts = Object.entries(part).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object'
      ? [...factsOf(value)].map(([path, fact]) => [`${name} ${path}`, fact])
      : [[name, String(value)]],
  )
  return new Map(facts)
}
