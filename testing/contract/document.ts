import type { RequiredCredential } from '../../kit/api/route.ts'

/** A field of a resource in the contract. */
export interface ContractField {
  name: string
  /** For example `string or null`, `array of Metadata item`. */
  type: string
  notes: string
}

/** A parameter of an endpoint in the contract. */
export interface ContractParameter {
  name: string
  type: string
  required: string
  rule: string
  location: 'body' | 'query' | 'path' | 'anywhere'
}

/** Answer of an endpoint: a resource, a list of resources, or an envelope around a resource or null. */
export interface ContractResponse {
  form: 'bare' | 'list' | 'envelope'
  resource: string | undefined
}

export interface ContractEndpoint {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  credential: RequiredCredential
  parameters: ContractParameter[]
  /** Undefined if the document does not describe it. */
  response: ContractResponse | undefined
}

/** The interface of the service as the document describes it. */
export interface Contract {
  endpoints: ContractEndpoint[]
  /** Resources by their name in the document. */
  resources: Map<string, ContractField[]>
  envelope: ContractField[]
  limits: Map<string, string>
}

type Row = Record<string, string>

/** Reads the document. Guarantee: it throws if a part is missing or not understood. */
export function readContract(text: string): Contract {
  const sections = sectionsOf(text)
  const section = (title: string) => {
    const found = sections.find((each) => each.title === title)
    if (!found) throw new Error(`the contract has no section "${title}"`)
    return found
  }
  const resources = new Map<string, ContractField[]>()
  for (const { title, above, body } of sections) {
    const fields = tableOf(body, 'Field')
    if (above === 'Resources and their fields' && fields.length > 0) {
      resources.set(title.replace(/ \(.*/, ''), fields.map(asField))
    }
  }
  return {
    endpoints: must('endpoints', tableOf(section('Endpoints').body, 'Method')).map((row) => {
      const url = (row['Path'] ?? '').replace(/\?.*/, '')
      const method = row['Method'] === 'DEL' ? 'DELETE' : (row['Method'] ?? '')
      const own = sections.find(({ title }) => title === `${method} ${url}`)?.body ?? ''
      return {
        method: method as ContractEndpoint['method'],
        url,
        credential: credentialOf(row['Token'] ?? ''),
        parameters: parametersOf(own),
        response: responseIn(own),
      }
    }),
    resources,
    envelope: must('fields of the envelope', tableOf(section('Common response envelope').body, 'Field')).map(
      asField,
    ),
    limits: new Map(
      tableOf(section('Limits').body, 'Limit').map((row) => [row['Limit'] ?? '', row['Value'] ?? '']),
    ),
  }
}

interface Section {
  title: string
  /** Title of the level-2 section that contains this one. */
  above: string
  body: string
}

function sectionsOf(text: string): Section[] {
  let above = ''
  return text.split(/^(?=#{2,3} )/m).map((part) => {
    const [, marks = '', title = '', body = ''] = /^(#{2,3}) ([^\n]*)\n(.*)$/s.exec(part) ?? []
    if (marks === '##') above = title
    return { title, above, body }
  })
}

/** Rows of the first table whose first column has this title. */
function tableOf(body: string, firstColumn: string): Row[] {
  const tables = body.split(/\n{2,}/).map((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map(cells),
  )
  const table = tables.find(([header]) => header?.[0] === firstColumn)
  if (!table) return []
  const [header = [], , ...rows] = table
  return rows.map((row) => Object.fromEntries(header.map((title, index) => [title, row[index] ?? ''])))
}

const cells = (line: string) =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim())

const asField = (row: Row): ContractField => ({
  name: row['Field'] ?? '',
  type: row['Type'] ?? '',
  notes: `${row['Type'] ?? ''}; ${row['Notes'] ?? row['Meaning'] ?? ''}`,
})

/** A public-key token only starts 3DS payments. Every other endpoint needs a secret-key token. */
function credentialOf(token: string): RequiredCredential {
  if (token.startsWith('key')) return 'key'
  if (token.includes('public-key')) return 'any'
  if (token === 'access token' || token === 'secret-key token') return 'secret'
  throw new Error(`the contract asks for a credential that this test does not know: ${token}`)
}

function parametersOf(body: string): ContractParameter[] {
  const listed = tableOf(body, 'Parameter').map((row): ContractParameter => {
    const { Parameter: name = '', Type: type = '', Required: required = '', Rule: rule = '' } = row
    return { name, type, required, rule, location: 'body' }
  })
  const inProse: [RegExp, ContractParameter['location'], string][] = [
    [/^- Query parameter `(\w+)`: (\w+), required(.*)$/gm, 'query', 'yes'],
    [/^- Optional filter: `(\w+)`, (\w+)(.*)$/gm, 'anywhere', 'no'],
    [/^- Path parameter: (\w+), (\w+)(.*)$/gm, 'path', 'yes'],
  ]
  return [
    ...listed,
    ...inProse.flatMap(([pattern, location, required]) =>
      [...body.matchAll(pattern)].map(([, name = '', type = '', rule = '']) => ({
        name,
        type,
        required,
        rule,
        location,
      })),
    ),
  ]
}

/** Meaning of the sentences about the response. */
function responseIn(body: string): ContractResponse | undefined {
  const [, enveloped] = /`data` = ([\w ]+ result)/i.exec(body) ?? []
  if (enveloped !== undefined) return { form: 'envelope', resource: capital(enveloped) }
  if (/^Response: envelope .*data null/m.test(body)) return { form: 'envelope', resource: undefined }
  const [, bare] = /Response: (?:the )?([A-Z][\w ]*?)(?: resource)?\./.exec(body) ?? []
  if (bare !== undefined) return { form: 'bare', resource: bare }
  const [, listed] = /Response: array of ([\w ]+?)ies\./.exec(body) ?? []
  return listed === undefined ? undefined : { form: 'list', resource: `${listed}y` }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function must<Item>(what: string, items: Item[]): Item[] {
  if (items.length === 0) throw new Error(`the contract lists no ${what}`)
  return items
}
