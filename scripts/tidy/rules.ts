import { circles, folderCircles } from './circles.ts'
import { documentedLogMessages, documentedMetrics } from './documented.ts'
import { decisions, links, machineTraces, paths, printedImportOrder, sentenceLength } from './documents.ts'
import { imports, modules } from './imports.ts'
import {
  catchAllNames,
  commands,
  endpoints,
  entryPoints,
  fileLength,
  leftovers,
  migrations,
} from './layout.ts'
import { merchantQueries } from './merchant-queries.ts'
import {
  appendOnly,
  environment,
  network,
  portable,
  postMessageTargets,
  randomness,
  sql,
  time,
} from './restricted-apis.ts'
import type { Rule, TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'
import { tables } from './tables.ts'
import { commentBeginnings, retiredWords, typeNames } from './words.ts'

/** All rules. tidy.test.ts runs the failing and passing samples of each. */
export const rules = {
  syntax,
  imports,
  modules,
  circles,
  folderCircles,
  printedImportOrder,
  environment,
  time,
  randomness,
  sql,
  tables,
  merchantQueries,
  portable,
  appendOnly,
  network,
  postMessageTargets,
  catchAllNames,
  fileLength,
  leftovers,
  endpoints,
  commands,
  entryPoints,
  migrations,
  links,
  paths,
  machineTraces,
  decisions,
  documentedLogMessages,
  documentedMetrics,
  retiredWords,
  typeNames,
  commentBeginnings,
  sentenceLength,
} satisfies Record<string, Rule>

/** Returns every violation as `path:line: rule: action`, in the order of the files. */
export function tidy(files: readonly TrackedFile[]): string[] {
  const violations = Object.entries(rules).flatMap(([rule, find]) =>
    [...find(files)].map((violation) => ({ rule, ...violation })),
  )
  violations.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
  return [
    ...new Set(violations.map(({ path, line, rule, sentence }) => `${path}:${line}: ${rule}: ${sentence}`)),
  ]
}

/** A file with a syntax error would pass every other rule, because it cannot be read. */
function* syntax(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    const error = isCode(file.path) ? codeOf(file).error : undefined
    if (error) yield violationAt(file, 0, `mend the syntax: ${error}`)
  }
}
