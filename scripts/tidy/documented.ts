import { isServiceCode, isTest } from './import-order.ts'
import type { LogCall, TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

const monitoringPage = 'docs/operate/monitoring.md'

/** A row of a table: its cells without their quotes, and the offset in the page. */
interface Row {
  cells: string[]
  start: number
}

/** Rows of every table of a page whose heading begins with this cell. */
function rowsUnder(page: TrackedFile, heading: string): Row[] {
  const rows: Row[] = []
  let isInTable = false
  let start = 0
  for (const line of page.text.split('\n')) {
    if (line.startsWith(`| ${heading} |`)) isInTable = true
    else if (!line.startsWith('|')) isInTable = false
    else if (isInTable && !line.startsWith('|--')) {
      rows.push({ cells: cellsOf(line), start })
    }
    start += line.length + 1
  }
  return rows
}

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const unquoted = (cell = '') => cell.replace(/^`|`$/g, '')

const pageAmong = (files: readonly TrackedFile[]) =>
  files.find(({ path }) => path === monitoringPage) ?? { path: monitoringPage, text: '' }

const serviceFiles = (files: readonly TrackedFile[]) =>
  files.filter(({ path }) => isCode(path) && isServiceCode(path) && !isTest(path))

/** The monitoring page lists every log message with its level and fields, and no other. */
export function* documentedLogMessages(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const page = pageAmong(files)
  const rows = new Map(rowsUnder(page, '`msg`').map((row) => [unquoted(row.cells[0]), row]))
  const messages = serviceFiles(files).flatMap((file) =>
    codeOf(file).logCalls.flatMap((call) => call.texts.map((text) => ({ file, call, text }))),
  )
  for (const { file, call, text } of messages.filter((message) => message.text !== 'request')) {
    const problem = text === undefined ? 'write the message as a literal' : missingFrom(rows.get(text), call)
    if (problem) yield violationAt(file, call.start, `${problem}: "${text ?? ''}"`)
  }
  for (const [text, row] of rows) {
    const calls = messages.filter((message) => message.text === text).map(({ call }) => call)
    const problem = extraIn(row, calls)
    if (problem) yield violationAt(page, row.start, problem)
  }
}

/** A row that no call writes, or a field that no call has. A call whose fields are no literal may have any. */
function extraIn(row: Row, calls: readonly LogCall[]): string | undefined {
  if (calls.length === 0) return 'remove the row: nothing logs this message'
  if (calls.some(({ fields }) => !fields)) return undefined
  const extra = fieldsIn(row).find((name) => !calls.some(({ fields }) => fields?.includes(name)))
  return extra && `remove the field ${extra}: the message lacks it`
}

const fieldsIn = (row: Row) => [...(row.cells[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

/** Fields that every line has; a second one of the same name would hide it. */
const ownFields = ['level', 'time', 'msg']

function missingFrom(row: Row | undefined, { level, names }: LogCall): string | undefined {
  const taken = names.find(({ name }) => ownFields.includes(name))
  if (taken) return `rename the field ${taken.name}: every line has one`
  if (!row) return `list the log message in ${monitoringPage}`
  if (row.cells[1] !== level) return `write level ${level} in ${monitoringPage}`
  const missing = names.find(({ name }) => !fieldsIn(row).includes(name))
  return missing && `add the field ${missing.name} to its row in ${monitoringPage}`
}

/** The monitoring page lists every metric with its kind, and no other. */
export function* documentedMetrics(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const page = pageAmong(files)
  const rows = new Map(rowsUnder(page, 'name').map((row) => [unquoted(row.cells[0]), row]))
  const declared = new Set<string>(['http_server_request_duration_seconds'])
  for (const file of serviceFiles(files)) {
    for (const { name, method, start } of codeOf(file).metrics) {
      const kind = method.replace('labelled', '').toLowerCase()
      declared.add(name)
      if (name === '') yield violationAt(file, start, 'write the name of the metric as a literal')
      else if (rows.get(name)?.cells[1] !== kind) {
        yield violationAt(file, start, `list ${name} as a ${kind} in ${monitoringPage}`)
      }
    }
  }
  for (const [name, { start }] of rows) {
    if (!declared.has(name)) yield violationAt(page, start, `remove the row: there is no metric ${name}`)
  }
}
