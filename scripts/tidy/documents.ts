import { posix } from 'node:path'
import { withImportOrder } from './import-order.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { blankOut, violationAt } from './source.ts'

/** ARCHITECTURE.md prints the enforced import order. */
export function* printedImportOrder(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const file = files.find(({ path }) => path === 'ARCHITECTURE.md') ?? { path: 'ARCHITECTURE.md', text: '' }
  const text = withImportOrder(file.text)
  if (text === undefined) {
    yield violationAt(
      file,
      0,
      'put <!-- import order --> and <!-- /import order --> where the order should stand, then run tidy.ts --write',
    )
  } else if (text !== file.text) {
    yield violationAt(
      file,
      file.text.indexOf('<!-- import order -->'),
      'run scripts/node scripts/tidy.ts --write: the order changed',
    )
  }
}

const withoutFences = (text: string) => text.replace(/^ *(```|~~~).*?^ *\1/gms, blankOut)

/** Every relative link of a document leads to an existing file or folder, and to an existing heading. */
export function* links(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const known = new Map(files.map((file) => [file.path, file]))
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)))
  for (const file of files.filter(({ path }) => path.endsWith('.md'))) {
    for (const { target, start } of relativeLinksOf(file)) {
      const [name = '', anchor] = target.split('#')
      const from = name.startsWith('/') ? '.' : posix.dirname(file.path)
      const path = name === '' ? file.path : posix.join(from, name).replace(/(?<=.)\/$/, '')
      const aim = known.get(path)
      if (!aim && !folders.has(path)) yield violationAt(file, start, `mend the link: there is no ${path}`)
      else if (anchor && aim?.path.endsWith('.md') && !anchorsOf(aim).has(anchor)) {
        yield violationAt(file, start, `mend the link: ${path} has no heading #${anchor}`)
      }
    }
  }
}

const namedPath =
  /`((?:server|kit|sandbox|demo|testing|page|element|look|scripts|e2e|bench|docs)\/[\w./-]*)`/g

/** Files and folders that documents name exist. Decisions and the changelog may use former names. */
export function* paths(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const known = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]))
  for (const file of files.filter(({ path }) => path.endsWith('.md') && !isHistorical(path))) {
    for (const { 1: name = '', index } of withoutFences(file.text).matchAll(namedPath)) {
      if (!known.has(name.replace(/\/$/, '')) && !name.includes('NNNN'))
        yield violationAt(file, index, `name an existing path: there is no ${name}`)
    }
  }
}

function isHistorical(path: string): boolean {
  return path.startsWith('docs/decisions/') || path === 'CHANGELOG.md'
}

function relativeLinksOf({ text }: TrackedFile): { target: string; start: number }[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, blankOut)
  const links = /\]\(\s*<?([^)\s>]+)|^ *\[[^\]]+\]:\s*(\S+)|\b(?:href|src)="([^"]+)"/gm
  return [...prose.matchAll(links)]
    .map(({ 1: inline, 2: reference, 3: html, index }) => ({
      target: inline ?? reference ?? html ?? '',
      start: index,
    }))
    .filter(({ target }) => !/^([a-z][a-z+.-]*:|\/\/)/i.test(target))
}

function foldersOf(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)]
}

/** Anchors that code hosts generate from headings, and anchors set by hand. */
function anchorsOf({ text }: TrackedFile): Set<string> {
  const prose = withoutFences(text)
  const anchors = new Set([...prose.matchAll(/<\w+\s(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id))
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.*?)[ #]*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = words.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let twin = 1; anchors.has(anchor); twin += 1) anchor = `${slug}-${twin}`
    anchors.add(anchor)
  }
  return anchors
}

const workplaces: [RegExp, string][] = [
  [
    /(?<![\w.~-])\/(work|home\/[\w.-]+)\//g,
    'name it from the root of the repository: this path is of one machine',
  ],
  [
    /https?:\/\/[^\s/"'`]*(registry|artifactory|nexus|verdaccio)|\bregistry(-url)?\s*[=:]\s*["']?https?:/gi,
    'leave the registry to the settings of whoever installs',
  ],
]

/**
 * Files contain no path or registry of the machine they were written on. npm writes package-lock.json, and
 * .npmrc keeps it clean.
 */
export function* machineTraces(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (file.path.endsWith('package-lock.json')) continue
    for (const [pattern, sentence] of workplaces) {
      for (const { index } of file.text.matchAll(pattern)) yield violationAt(file, index, sentence)
    }
  }
}

const maxWords = 35

/** Sentences of a document are short enough to be read once. A list item and a cell of a table end a sentence too. */
export function* sentenceLength(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files.filter(({ path }) => path.endsWith('.md') && !isHistorical(path))) {
    const prose = withoutFences(file.text)
      .replace(/<!-- import order -->.*?<!-- \/import order -->/gs, blankOut)
      .replace(/\]\([^)\n]*\)/g, blankOut)
    let start = 0
    for (const part of prose.split(/(\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.))|\||(?<=[.!?:;])\s+)/)) {
      const words = part.split(/\s+/).filter((word) => /[\p{L}\p{N}`]/u.test(word)).length
      const begin = start + (part.length - part.trimStart().length)
      if (words > maxWords) {
        yield violationAt(
          file,
          begin,
          `split the sentence: it has ${words} words, and ${maxWords} is the most`,
        )
      }
      start += part.length
    }
  }
}

const decisionFile = /^docs\/decisions\/(\d{4})-[\w-]+\.md$/
const stateLine =
  /^State: (in force|superseded|partly superseded)(?: by ((?:\[\d+\]\([\w.-]+\)(?:, )?)+))?(?:\.|: .+)$/m

/** Every decision states if it still holds, and the index repeats its title and state. */
export function* decisions(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const index = files.find(({ path }) => path === 'docs/decisions/README.md')
  for (const file of files.filter(({ path }) => decisionFile.test(path))) {
    const number = Number(decisionFile.exec(file.path)?.[1])
    const title = /^# \d+\. (.+)$/m.exec(file.text)?.[1]
    const [, state, by = ''] = stateLine.exec(file.text) ?? []
    if (!state) {
      yield violationAt(
        file,
        0,
        'write "State: in force.", or by which decision it is superseded, below the title',
      )
      continue
    }
    const numbers = [...by.matchAll(/\[(\d+)\]/g)].map(([, each]) => each).join(', ')
    const row = `| [${number}](${posix.basename(file.path)}) | ${title} | ${state}${numbers && ` by ${numbers}`} |`
    if (!index?.text.includes(`\n${row}\n`))
      yield violationAt(file, 0, `write this row in docs/decisions/README.md: ${row}`)
  }
}
