import { posix } from 'node:path'
import type { CallExpression, Comment, Node, Span } from 'oxc-parser'
import { parseSync, visitorKeys } from 'oxc-parser'

/** File that git tracks or would track. Rules get nothing else, so that their tests need no disk. */
export interface TrackedFile {
  path: string
  text: string
}

export interface TidyViolation {
  path: string
  line: number
  /** Action to take. */
  sentence: string
}

export type Rule = (files: readonly TrackedFile[]) => Iterable<TidyViolation>

/** Facts about a code file that the rules need. Positions are offsets in its text. */
export interface Code {
  /**
   * All imported modules, type-only ones included. A relative one is a path from the root of the repository.
   */
  imports: { module: string; start: number; kind: 'type' | 'value' | 'lazy' }[]
  /**
   * Used globals and imports, each under one name: `crypto.randomBytes` stands for the global, the namespace
   * import and the named import. A call adds `name()`, a call with an object as first argument `name({})`, a
   * constructor call without arguments `new name()`.
   */
  uses: { name: string; start: number }[]
  /** String and template literals; `${…}` is blank. */
  strings: { text: string; start: number; tag: string | undefined }[]
  comments: Comment[]
  /** Names that the file declares and exports. */
  exports: { name: string; isType: boolean; start: number }[]
  logCalls: LogCall[]
  /** Calls that declare a metric by a literal name: `metrics.gauge('vezne_unknown_outcomes', …)`. */
  metrics: { name: string; method: string; start: number }[]
  /** String values of `name` properties: `{ name: 'payment list' }`. */
  names: { name: string; start: number }[]
  error: string | undefined
}

/** A call of the log: `log.warn({ attempt }, 'sending failed')`. */
export interface LogCall {
  level: string
  /** Keys of the object literal; undefined if the fields are not a literal or spread another object. */
  fields: string[] | undefined
  names: { name: string; start: number }[]
  /** Texts the call can write; undefined stands for one that is not a literal. */
  texts: (string | undefined)[]
  start: number
}

/** State while reading. Names are resolved at the end, because a declaration may follow its use. */
interface Notes extends Code {
  path: string
  mentions: { names: string[]; shape: string; start: number }[]
  /** Meaning of an imported name: `c` means `crypto` after `import * as c from 'node:crypto'`. */
  imported: Map<string, string>
  /** Scopes in which a name is local, so that a parameter called `fetch` does not count as the global. */
  locals: Map<string, Span[]>
}

const codes = new WeakMap<TrackedFile, Code>()

export const isCode = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

export function violationAt(file: TrackedFile, offset: number, sentence: string): TidyViolation {
  return { path: file.path, line: file.text.slice(0, offset).split('\n').length, sentence }
}

/** Keeps length and line breaks, so that offsets stay valid. */
export const blankOut = (text: string) => text.replace(/[^\n]/g, ' ')

/** Parses a code file once for all rules. */
export function codeOf(file: TrackedFile): Code {
  const known = codes.get(file)
  if (known) return known
  const parsed = parseSync(file.path, file.text, { preserveParens: false })
  const notes: Notes = {
    path: file.path,
    imports: [],
    uses: [],
    strings: [],
    comments: parsed.comments,
    exports: parsed.program.body.flatMap(exportsOf),
    logCalls: [],
    metrics: [],
    names: [],
    error: parsed.errors[0]?.message,
    mentions: [],
    imported: new Map(),
    locals: new Map(),
  }
  visit(parsed.program, undefined, parsed.program, notes)
  for (const mention of notes.mentions) {
    const name = resolve(mention, notes)
    if (name) notes.uses.push({ name, start: mention.start })
  }
  // Scopes are dropped, because they would keep the whole tree in memory.
  const { path, mentions, imported, locals, ...code } = notes
  codes.set(file, code)
  return code
}

const scopes = new Set<string>([
  'Program',
  'BlockStatement',
  'StaticBlock',
  'SwitchStatement',
  'CatchClause',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])
const valuesWithTypes = /^TS(AsExpression|SatisfiesExpression|NonNullExpression|InstantiationExpression)$/

function visit(node: Node, parent: Node | undefined, outer: Span, notes: Notes): void {
  if ('source' in node && node.source) {
    noteImport(node, notes)
    if (node.type !== 'ImportExpression') return
  }
  if (node.type.startsWith('TS') && !valuesWithTypes.test(node.type)) {
    visitType(node, notes)
    return
  }
  const scope = scopes.has(node.type) ? node : outer
  note(node, parent, outer, notes)
  for (const child of childrenOf(node)) visit(child, node, scope, notes)
}

/** A type uses nothing at run time, but `import('…')` in it is an import. */
function visitType(node: Node, notes: Notes): void {
  if (node.type === 'TSImportType') noteImport(node, notes)
  for (const child of childrenOf(node)) visitType(child, notes)
}

/**
 * Child nodes except plain names, which are no uses: `b` in `a.b`, `{ b: 1 }`, `export { a as b }`, `break
 * b`.
 */
function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>
  const isComputed = 'computed' in node && node.computed
  const children: Node[] = []
  for (const key of visitorKeys[node.type] ?? []) {
    if (key === 'label' || key === 'exported') continue
    if (!isComputed && (key === 'property' || key === 'key')) continue
    const value = fields[key]
    for (const child of Array.isArray(value) ? value : [value]) if (child) children.push(child)
  }
  return children
}

function note(node: Node, parent: Node | undefined, scope: Span, notes: Notes): void {
  switch (node.type) {
    case 'Identifier':
    case 'MemberExpression':
      mention(node, '', notes)
      break
    case 'CallExpression':
      mention(node.callee, '()', notes)
      if (node.arguments[0]?.type === 'ObjectExpression') mention(node.callee, '({})', notes)
      noteCall(node, notes)
      break
    case 'Property':
      if (node.value.type === 'Literal' && typeof node.value.value === 'string' && keyOf(node) === 'name')
        notes.names.push({ name: node.value.value, start: node.value.start })
      break
    case 'NewExpression':
      if (node.arguments.length === 0) mention(node.callee, 'new', notes)
      break
    case 'Literal':
      if (typeof node.value === 'string') {
        notes.strings.push({ text: node.value, start: node.start + 1, tag: undefined })
      }
      break
    case 'TemplateLiteral': {
      const holes = node.expressions.map((hole) => ' '.repeat(hole.end - hole.start + 3))
      const text = node.quasis.map((part, index) => part.value.raw + (holes[index] ?? '')).join('')
      const tag = parent?.type === 'TaggedTemplateExpression' ? dotted(parent.tag, notes)?.at(-1) : undefined
      notes.strings.push({ text, start: node.start + 1, tag })
      break
    }
    default:
      noteNames(node, scope, notes)
  }
}

/** Names that a top-level statement declares and exports. */
function exportsOf(statement: Node): Code['exports'] {
  if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return []
  const { declaration } = statement
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) =>
      id.type === 'Identifier' ? [{ name: id.name, isType: false, start: id.start }] : [],
    )
  const isType = /^(TS(Interface|TypeAlias|Enum)|Class)Declaration$/.test(declaration.type)
  return 'id' in declaration && declaration.id?.type === 'Identifier'
    ? [{ name: declaration.id.name, isType, start: declaration.id.start }]
    : []
}

const metricMethod = /^(gauge|counter|histogram|labelledGauge)$/

function noteCall({ callee, arguments: [first, second], start }: CallExpression, notes: Notes): void {
  if (callee.type !== 'MemberExpression' || !first) return
  const method = nameOf(callee.property)
  if (metricMethod.test(method)) notes.metrics.push({ name: textOf(first) ?? '', method, start })
  const owner = nameOf(callee.object.type === 'MemberExpression' ? callee.object.property : callee.object)
  if (owner !== 'log' || !/^(debug|info|warn|error)$/.test(method) || !second) return
  const properties = first.type === 'ObjectExpression' ? first.properties : []
  const names = properties.flatMap((property) =>
    property.type === 'Property' ? [{ name: keyOf(property), start: property.start }] : [],
  )
  const isLiteral = first.type === 'ObjectExpression' && names.length === properties.length
  const fields = isLiteral ? names.map(({ name }) => name) : undefined
  notes.logCalls.push({ level: method, fields, names, texts: textsOf(second), start })
}

/** Both texts of `condition ? 'a' : 'b'`, or the one of a literal. */
const textsOf = (node: Node): (string | undefined)[] =>
  node.type === 'ConditionalExpression'
    ? [...textsOf(node.consequent), ...textsOf(node.alternate)]
    : [textOf(node)]

const nameOf = (node: Node) =>
  node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : ''

const keyOf = ({ key }: { key: Node }) => (key.type === 'Literal' ? String(key.value) : nameOf(key))

/** Notes declarations and destructured properties: `const { env } = process` uses `process.env`. */
function noteNames(node: Node, scope: Span, notes: Notes): void {
  switch (node.type) {
    case 'VariableDeclarator': {
      const module = node.init?.type === 'AwaitExpression' ? moduleIn(node.init.argument, notes) : undefined
      if (module && node.id.type === 'Identifier') notes.imported.set(node.id.name, module)
      else declare(node.id, scope, notes)
      if (node.init) takeOut(node.id, node.init, notes)
      break
    }
    case 'AssignmentPattern':
      takeOut(node.left, node.right, notes)
      break
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      if (node.id) declare(node.id, scope, notes)
      for (const param of node.params) declare(param, node, notes)
      break
    case 'CatchClause':
      if (node.param) declare(node.param, node, notes)
      break
    case 'ClassDeclaration':
      if (node.id) declare(node.id, scope, notes)
  }
}

function declare(pattern: Node, scope: Span, notes: Notes): void {
  if (pattern.type === 'Identifier') {
    notes.locals.set(pattern.name, [...(notes.locals.get(pattern.name) ?? []), scope])
  } else if (pattern.type === 'AssignmentPattern') declare(pattern.left, scope, notes)
  else if (pattern.type === 'RestElement') declare(pattern.argument, scope, notes)
  else if (pattern.type === 'Property') declare(pattern.value, scope, notes)
  else if (pattern.type === 'ObjectPattern' || pattern.type === 'ArrayPattern') {
    for (const part of childrenOf(pattern)) declare(part, scope, notes)
  }
}

function takeOut(pattern: Node, value: Node, notes: Notes): void {
  if (pattern.type !== 'ObjectPattern') return
  const names = dotted(value, notes)
  if (!names) return
  for (const part of pattern.properties) {
    if (part.type !== 'Property' || part.key.type !== 'Identifier') continue
    notes.mentions.push({ names: [...names, part.key.name], shape: '', start: part.start })
  }
}

function mention(node: Node, shape: string, notes: Notes): void {
  const names = dotted(node, notes)
  if (names) notes.mentions.push({ names, shape, start: node.start })
}

/** Names of `a.b['c']`; undefined unless the expression begins with a plain name or an awaited `import()`. */
function dotted(node: Node, notes: Notes): string[] | undefined {
  switch (node.type) {
    case 'Identifier':
      return [node.name]
    case 'AwaitExpression': {
      const module = moduleIn(node.argument, notes)
      return module ? [module] : undefined
    }
    case 'MemberExpression': {
      const { property } = node
      const isString = property.type === 'Literal' && typeof property.value === 'string'
      const key = isString
        ? String(property.value)
        : property.type === 'Identifier' && !node.computed && property.name
      const object = dotted(node.object, notes)
      return object && key ? [...object, key] : undefined
    }
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return dotted(node.expression, notes)
  }
  return undefined
}

const moduleIn = (node: Node, notes: Notes) =>
  node.type === 'ImportExpression' ? moduleNamed(textOf(node.source), notes) : undefined

/** Text of a literal, or of a template without `${…}`. */
const textOf = (node: Node) =>
  node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? node.quasis[0]?.value.raw
    : node.type === 'Literal'
      ? String(node.value)
      : undefined

const moduleNamed = (specifier: string | undefined, notes: Notes) =>
  specifier?.startsWith('.')
    ? posix.join(posix.dirname(notes.path), specifier)
    : specifier?.replace(/^node:/, '')

/** Notes the module, and a use for each value that is imported or re-exported by name. */
function noteImport(node: Extract<Node, { source: Node | null }>, notes: Notes): void {
  const module = node.source ? moduleNamed(textOf(node.source), notes) : undefined
  if (module === undefined) return
  notes.imports.push({ module, start: node.start, kind: kindOf(node) })
  if (node.type === 'ExportAllDeclaration') notes.uses.push({ name: `${module}.*`, start: node.start })
  if (!('specifiers' in node)) return
  for (const part of node.specifiers) {
    const name: string = [module, ...importedName(part)].join('.')
    if (part.type !== 'ExportSpecifier') notes.imported.set(part.local.name, name)
    const isType = isTypeOnly(node) || isTypeOnly(part)
    if (!isType && name !== module) notes.uses.push({ name: plain(name), start: part.start })
  }
}

/** Loading of the import: with the file, on demand, or never (types). */
function kindOf(node: Node): Code['imports'][number]['kind'] {
  if (node.type === 'ImportExpression') return 'lazy'
  return node.type === 'TSImportType' || isTypeOnly(node) ? 'type' : 'value'
}

const isTypeOnly = (node: Node) =>
  ('importKind' in node && node.importKind === 'type') || ('exportKind' in node && node.exportKind === 'type')

function importedName(part: Node): string[] {
  const name =
    part.type === 'ImportSpecifier' ? part.imported : part.type === 'ExportSpecifier' ? part.local : undefined
  if (!name) return []
  const text = name.type === 'Literal' ? name.value : name.name
  return text === 'default' ? [] : [text]
}

/** One name for a global and for the Node module that exports it. */
const plain = (name: string) =>
  name.replace(/^(globalThis|global|perf_hooks|timers(\/promises|\.promises)?)\./, '')

function resolve(mention: Notes['mentions'][number], notes: Notes): string | undefined {
  const { names, shape, start } = mention
  const [first = '', ...rest] = names
  if (notes.locals.get(first)?.some((scope) => scope.start <= start && start < scope.end)) return undefined
  const imported = notes.imported.get(first)
  // The import itself counts as the use; a plain mention of it would only repeat the violation.
  if (imported && rest.length === 0 && shape === '') return undefined
  const name = plain([imported ?? first, ...rest].join('.'))
  return shape === 'new' ? `new ${name}()` : name + shape
}
