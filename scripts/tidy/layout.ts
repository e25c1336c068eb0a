import { featureFolders, isTest, moduleOf } from './import-order.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

const catchAlls = /^(services?|utils?|helpers?|common|types|lib|misc|shared|interfaces)$/i

/** A name is the noun for its content. A catch-all name collects code that belongs elsewhere. */
export function* catchAllNames(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (/^server\/services(\.test)?\.ts$/.test(file.path)) continue
    const name = file.path.split('/').find((part) => catchAlls.test(part.replace(/\..*/, '')))
    if (name)
      yield violationAt(
        file,
        0,
        `call "${name}" by the noun it holds, or move its parts to where they belong`,
      )
  }
}

const longest = 400

export function* fileLength(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (!/\.(ts|m?js|css|sql)$/.test(file.path) || linesIn(file) <= longest) continue
    yield {
      path: file.path,
      line: longest + 1,
      sentence: `split the file: ${linesIn(file)} lines, ${longest} at most`,
    }
  }
}

const linesIn = ({ text }: TrackedFile) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** No unfinished work remains: no open remarks, no `.only`, `.skip` or `.todo` on tests. */
export function* leftovers(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    for (const { text, start } of remarksIn(file)) {
      for (const { 0: word, index } of text.matchAll(/\b(TODO|FIXME|XXX)\b/g)) {
        yield violationAt(file, start + index, `do it now, or open an issue, and take the ${word} out`)
      }
    }
    for (const { name, start } of isCode(file.path) ? codeOf(file).uses : []) {
      const word = /(?:^|\.)(?:test|it|describe|suite)\.(only|skip|todo)$/.exec(name)?.[1]
      if (word)
        yield violationAt(
          file,
          start,
          `take .${word} out; a test that cannot run says why: { skip: 'reason' }`,
        )
    }
  }
}

/** Comments of code; the whole text of files without a parser here; nothing of documents and data. */
function remarksIn(file: TrackedFile): { text: string; start: number }[] {
  if (/\.(md|json|svg)$/.test(file.path)) return []
  if (!isCode(file.path)) return [{ text: file.text, start: 0 }]
  return codeOf(file).comments.map(({ start, end }) => ({ text: file.text.slice(start, end), start }))
}

/** File of the routes that resources share. An endpoint is where `customerResource.routeToRead({…})` is called. */
const sharedRoutes = 'server/resources/resource.ts'

/** Every endpoint has one file and one test. Every command has one file. */
export function* endpoints(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const paths = new Set(files.map(({ path }) => path))
  for (const file of files) {
    if (!isCode(file.path) || !file.path.startsWith('server/') || isTest(file.path)) continue
    const calls = (name: string) =>
      codeOf(file).uses.filter((use) => new RegExp(`(^|\\.)${name}\\(\\{\\}\\)$`).test(use.name))
    if (!featureFolders.includes(moduleOf(file.path) ?? '')) continue
    for (const { start } of calls('command').slice(1))
      yield violationAt(file, start, 'move the second command into a file of its own')
    if (file.path === sharedRoutes) continue
    const [first, ...others] = calls('route(?:To[A-Z]\\w+)?')
    for (const { start } of others)
      yield violationAt(file, start, 'move the second route into a file of its own')
    const test = file.path.replace(/\.ts$/, '.test.ts')
    if (first && !paths.has(test))
      yield violationAt(file, first.start, `write ${test}: an endpoint has its test beside it`)
  }
}

const listOfAll = 'server/commands.ts'

/**
 * Every command is in a list that does not load it, so that the command line loads only the command that is
 * called.
 */
export function* commands(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const code = files.filter(({ path }) => isCode(path) && path.startsWith('server/') && !isTest(path))
  const lists = code.filter(({ path }) => /^server\/([^/]+\/)?commands\.ts$/.test(path))
  for (const list of lists) {
    for (const { module, start, kind } of codeOf(list).imports) {
      const isLight = list.path === listOfAll && /^server\/(config|[^/]+\/commands)\.ts$/.test(module)
      if (kind === 'value' && !isLight)
        yield violationAt(list, start, 'import types alone here; what a command needs, its own file imports')
    }
  }
  const listed = new Set(lists.flatMap((list) => codeOf(list).imports.map(({ module }) => module)))
  for (const file of code) {
    const use = codeOf(file).uses.find(({ name }) => name === 'kit/command-line/command.ts.command({})')
    if (use && !listed.has(file.path))
      yield violationAt(
        file,
        use.start,
        'list the command in the commands.ts of its folder, with its sentence and an example',
      )
  }
}

const longestReadme = 15

/** Every feature has an entry point and a short README. */
export function* entryPoints(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const known = new Map(files.map((file) => [file.path, file]))
  for (const folder of featureFolders.map((feature) => `server/${feature}`)) {
    if (!files.some(({ path }) => path.startsWith(`${folder}/`))) continue
    const missing = (name: string, sentence: string) => ({ path: `${folder}/${name}`, line: 1, sentence })
    if (!known.has(`${folder}/index.ts`) && !known.has(`${folder}/commands.ts`))
      yield missing('index.ts', 'write the door: routes, jobs, what others may call')
    const readme = known.get(`${folder}/README.md`)
    if (!readme)
      yield missing('README.md', `say in at most ${longestReadme} lines what the feature is and promises`)
    else if (linesIn(readme) > longestReadme) {
      yield violationAt(readme, 0, `shorten to ${longestReadme} lines; the rest belongs in docs/internals/`)
    }
  }
}

/**
 * Migrations are numbered without a gap. Each names the oldest program version that can still use its schema.
 */
export function* migrations(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const folder = 'server/database/migrations/'
  const found = files.filter(({ path }) => path.startsWith(folder) && !path.endsWith('.md'))
  let number = 0
  for (const file of found.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const digits = /^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.sql$/.exec(file.path.slice(folder.length))?.[1]
    if (!digits) {
      yield violationAt(file, 0, 'name it NNNN-words.sql')
      continue
    }
    number += 1
    const next = String(number).padStart(4, '0')
    if (digits !== next)
      yield violationAt(file, 0, `number it ${next}: migrations count from 0001 without gap or double`)
    const oldest = /^-- oldest program: (\d+)\r?\n/.exec(file.text)?.[1]
    if (!oldest || Number(oldest) > Number(digits)) {
      yield violationAt(
        file,
        0,
        `begin with "-- oldest program: N", N being ${Number(digits)} or less: what the schema demands`,
      )
    }
  }
}
