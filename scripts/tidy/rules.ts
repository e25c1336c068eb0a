import { links, order, paths, workplace } from './documents.ts'
import { appendOnly, audience, environment, network, portable, randomness, sql, time } from './homes.ts'
import { imports, modules } from './imports.ts'
import { commands, doors, endpoints, leftovers, length, migrations, names } from './layout.ts'
import type { Rule, TidyViolation, Tracked } from './source.ts'
import { at, codeOf, isCode } from './source.ts'

/** All rules of the house; each has a failing and a passing sample in tidy.test.ts. */
export const rules = {
  syntax,
  imports,
  modules,
  order,
  environment,
  time,
  randomness,
  sql,
  portable,
  appendOnly,
  network,
  audience,
  names,
  length,
  leftovers,
  endpoints,
  commands,
  doors,
  migrations,
  links,
  paths,
  workplace,
} satisfies Record<string, Rule>

/** Every finding as `path:line: rule: what to do`, in the order of the files. */
export function tidy(files: readonly Tracked[]): string[] {
  const violations = Object.entries(rules).flatMap(([rule, find]) =>
    [...find(files)].map((violation) => ({ rule, ...violation })),
  )
  violations.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
  return [
    ...new Set(violations.map(({ path, line, rule, sentence }) => `${path}:${line}: ${rule}: ${sentence}`)),
  ]
}

/** What cannot be read cannot be judged: without this, a file with an error in it would pass every rule. */
function* syntax(files: readonly Tracked[]): Iterable<TidyViolation> {
  for (const file of files) {
    const error = isCode(file.path) ? codeOf(file).error : undefined
    if (error) yield at(file, 0, `mend the syntax: ${error}`)
  }
}
