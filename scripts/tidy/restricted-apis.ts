import { matchesGlob } from 'node:path'
import { isServiceCode, toolFolders } from './import-order.ts'
import type { Rule, TidyViolation, TrackedFile } from './source.ts'
import { blankOut, codeOf, isCode, violationAt } from './source.ts'

/**
 * API with one permitted place. Code that uses it elsewhere cannot be tested with the test's clock, seed or
 * bank.
 */
interface Home {
  uses?: RegExp
  packages?: RegExp
  home: string[]
  sentence: string
}

/** Browser code gets no services; it uses the browser's clock, randomness and network. */
const browsers = 'server/*/assets/**'
const tests = ['testing/**', '{server,kit,sandbox,demo}/**/*.test.ts']
const sqlHomes = ['{server,sandbox}/**/{store,*.sql}.ts', 'server/database/**', ...tests]

export const environment = oneHome({
  uses: /^process\.env$/,
  home: ['server/config.ts', 'testing/harness/environment.ts'],
  sentence: 'read the environment in server/config.ts and take the setting from config',
})

export const time = oneHome({
  uses: /^(Date\.now|new Date\(\)|Date\(\)|performance\.now|process\.hrtime|setTimeout|setInterval|setImmediate|scheduler)$/,
  home: ['kit/runtime/clock.ts', 'testing/**', browsers],
  sentence: 'take the time, and wait, by the clock you are handed (kit/runtime/clock.ts)',
})

export const randomness = oneHome({
  uses: /^(Math\.random|crypto\.(random\w+|webcrypto|getRandomValues))$/,
  home: ['kit/security/random.ts', 'testing/**', browsers],
  sentence: 'take random bytes from the Random you are handed (kit/security/random.ts)',
})

const networkParts = [
  oneHome({
    uses: /^(fetch|(kit\/runtime\/node-http\.ts\.)?https?\.(request|get)|(net|tls|http2)\.(connect|createConnection))$/,
    packages: /^undici(\/|$)/,
    home: [
      'kit/outbound/http-client.ts',
      'kit/outbound/network-outbound-client.ts',
      'server/database/**',
      browsers,
      ...tests,
    ],
    sentence:
      'call out through kit/outbound/http-client.ts, to addresses of merchants through kit/outbound/outbound-client.ts',
  }),
  oneHome({
    uses: /^https?\.(?!request$|get$)\w+$/,
    home: ['kit/runtime/node-http.ts', ...tests],
    sentence: 'take http from kit/runtime/node-http.ts: to import it takes ten times as long',
  }),
]

/** Outbound requests are made in one place. Node's HTTP is imported in one place. */
export function* network(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const part of networkParts) yield* part(files)
}

const sqlParts = [
  oneHome({
    packages: /^sql-template-tag(\/|$)/,
    home: ['kit/runtime/sql.ts'],
    sentence: 'import sql from kit/runtime/sql.ts',
  }),
  oneHome({
    packages: /^pg(\/|$)/,
    home: ['server/database/**', 'testing/**'],
    sentence: 'reach PostgreSQL through server/database',
  }),
  oneHome({
    uses: /^kit\/runtime\/sql\.ts\.(sql|\*)$/,
    home: sqlHomes,
    sentence: 'write SQL in a store.ts or a *.sql.ts of the feature it belongs to',
  }),
  literals,
]

/** SQL is written only in store.ts, *.sql.ts, server/database and tests. */
export function* sql(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const part of sqlParts) yield* part(files)
}

function* literals(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of serverCode(files)) {
    if (isIn(file.path, sqlHomes)) continue
    for (const { text, start } of codeOf(file).strings) {
      if (looksLikeSql(text))
        yield violationAt(
          file,
          start,
          'move this SQL into a store.ts or a *.sql.ts of the feature it belongs to',
        )
    }
  }
}

/** PostgreSQL features that distributed databases lack or make expensive. */
const unportable: [RegExp, string][] = [
  [/\bpg_(try_)?advisory\w*/gi, 'lock a row instead of an advisory lock'],
  [/(?<=(^|;)\s*)(un)?(listen|notify)\s+\w|\bpg_notify\b/gi, 'poll a table instead of listen and notify'],
  [/\b(small|big)?serial[248]?\b|\bas\s+identity\b/gi, 'make ids in the application instead of the database'],
  [/\b(create|alter|drop)\s+sequence\b|\bnextval\b/gi, 'make ids in the application instead of a sequence'],
  [
    /\b(create|alter|drop)\s+(or\s+replace\s+)?(\w+\s+)?trigger\b/gi,
    'write it in the query, not in a trigger',
  ],
  [/\bdeferrable\b|\binitially\s+deferred\b/gi, 'order the queries so that nothing need be deferrable'],
  [/\bcreate\s+extension\b/gi, 'do without the extension'],
  [
    /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|random|gen_random_uuid|uuidv[47])\s*\(|\bcurrent_(timestamp|date|time)\b/gi,
    'hand in the time or the random value as a parameter',
  ],
]

/** Text of a clause up to its comma. Commas in parentheses belong to the clause. */
const clause = String.raw`(?:\((?:[^()]|\([^()]*\))*\)|[^,;()])*?`

/** Changes of a table, in migrations. The constraints of `create table` need neither a clause nor a name. */
const unportableChanges: [RegExp, string][] = [
  [
    new RegExp(
      String.raw`\badd\s+(?!(?:constraint|primary|unique|foreign|check|exclude)\b)\w${clause}\b(?:primary\s+key|unique|references|check)\b`,
      'gi',
    ),
    'add the column first, and its constraint with `add constraint NAME check (…)`',
  ],
  [
    /\badd\s+(?:primary\s+key|unique|foreign\s+key|check|exclude)\b/gi,
    'name the constraint with `add constraint NAME …`',
  ],
]

/**
 * The only query that reads the database's clock, for comparison. It does nothing else, so that its time is
 * never stored.
 */
const clockReading = { path: 'server/database/store.ts', text: 'select clock_timestamp() as now' }

/** The embedded server is always PostgreSQL. The tests may create Citus. */
function mayUse(path: string, word: string): boolean {
  if (isIn(path, ['server/database/embedded/**'])) return /advisory/i.test(word)
  return path === 'testing/harness/servers.ts' && /extension/i.test(word)
}

/** The schema runs unchanged on distributed databases. */
export function* portable(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    const readsClock = (text: string) => file.path === clockReading.path && text === clockReading.text
    const refused = isIn(file.path, ['server/database/migrations/*.sql'])
      ? [...unportable, ...unportableChanges]
      : unportable
    for (const { text, start } of sqlIn(file).filter((each) => !readsClock(each.text))) {
      const bare = withoutCommentsAndLiterals(text)
      for (const [pattern, sentence] of refused) {
        for (const { 0: word, index } of bare.matchAll(pattern)) {
          if (mayUse(file.path, word)) continue
          yield violationAt(file, start + index, `${sentence}: the schema must run on distributed databases`)
        }
      }
    }
  }
}

/** Append-only tables. They are reliable only because their rows never change. */
const appended = '(?:only\\s+)?(?:\\w+\\.)?"?(?:ledger_transfers|events)\\b'
const changesOfAppended = [
  `\\b(?:update|delete\\s+from|merge\\s+into)\\s+${appended}`,
  `\\b(?:truncate|drop\\s+table)\\s[^;]*?(?<![.\\w])${appended}`,
  `\\binsert\\s+into\\s+${appended}(?:(?!\\binsert\\b)[^;])*?\\bdo\\s+update\\b`,
].map((source) => new RegExp(source, 'gi'))

/**
 * Transfers and events are appended and never changed or deleted. Tests may change rows, to check that the
 * change is noticed.
 */
export function* appendOnly(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (isIn(file.path, tests)) continue
    for (const { text, start } of sqlIn(file)) {
      const bare = withoutCommentsAndLiterals(text)
      for (const { index } of changesOfAppended.flatMap((pattern) => [...bare.matchAll(pattern)])) {
        yield violationAt(file, start + index, 'append another row: transfers and events are never changed')
      }
    }
  }
}

/**
 * A message to `*` reaches any page that frames this one. The payment page posts one such message, to
 * announce itself. The element always knows the origin that it posts to.
 */
export function* postMessageTargets(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (!isIn(file.path, ['page/**/*.ts', 'element/**/*.ts']) || file.path.endsWith('.test.ts')) continue
    const stars = codeOf(file).strings.filter(({ text }) => text === '*')
    for (const { start } of stars.slice(file.path === 'page/parent.ts' ? 1 : 0))
      yield violationAt(file, start, "post the message to one origin: only page/parent.ts posts to '*', once")
  }
}

export function sqlIn(file: TrackedFile): { text: string; start: number }[] {
  if (toolFolders.some((top) => file.path.startsWith(`${top}/`))) return []
  if (file.path.endsWith('.sql')) return [{ text: file.text, start: 0 }]
  if (!isServiceOrTesting(file.path)) return []
  const onChannel = /^\s*(un)?(listen|notify)\s+\w+\s*([;,]|$)/i
  return codeOf(file).strings.filter(
    ({ text, tag }) => tag === 'sql' || looksLikeSql(text) || onChannel.test(text),
  )
}

const sqlComment = /--[^\n]*|\/\*.*?\*\//gs

/** Replaces comments and literals of a query with blanks. */
export const withoutCommentsAndLiterals = (text: string) =>
  text.replace(sqlComment, blankOut).replace(/'[^']*'/g, blankOut)

const beginnings = [
  /select\s.*\sfrom\s|select\s+\w+\s*\(|with\s.*\sas\s*((not\s+)?materialized\s*)?\(/,
  /insert\s+into\s|delete\s+from\s|update\s+(\S+\s+){0,3}set\s/,
  /create\s+((or\s+replace|unique|unlogged|temp|temporary|constraint)\s+)?(table|index|sequence|trigger|extension)\s/,
  /(alter|drop)\s+(table|index)\s/,
]
const sqlBeginning = new RegExp(`^\\s*(${beginnings.map(({ source }) => source).join('|')})`, 'is')

const looksLikeSql = (text: string) => sqlBeginning.test(text.replace(sqlComment, ' '))

const isIn = (path: string, globs: string[]) => globs.some((glob) => matchesGlob(path, glob))

const isServiceOrTesting = (path: string) =>
  isCode(path) && (isServiceCode(path) || path.startsWith('testing/'))

const serverCode = (files: readonly TrackedFile[]) => files.filter(({ path }) => isServiceOrTesting(path))

function oneHome({ uses, packages, home, sentence }: Home): Rule {
  return function* (files) {
    for (const file of serverCode(files)) {
      const code = codeOf(file)
      const violations = [
        ...code.uses.filter(({ name }) => uses?.test(name)),
        ...code.imports.filter(({ module }) => packages?.test(module)),
      ]
      if (violations.length === 0 || isIn(file.path, home)) continue
      for (const { start } of violations) yield violationAt(file, start, sentence)
    }
  }
}
