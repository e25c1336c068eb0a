// Checks rules that neither the compiler nor the linter knows: allowed imports, the files that use time and
// SQL, names, links. `scripts/node scripts/tidy.ts` prints one line per violation; `--write` writes the
// import order to ARCHITECTURE.md.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withImportOrder } from './tidy/import-order.ts'
import { rules, tidy } from './tidy/rules.ts'
import type { TrackedFile } from './tidy/source.ts'

const root = dirname(import.meta.dirname)

const files = tracked()

if (process.argv.includes('--write')) {
  const architecture = files.find(({ path }) => path === 'ARCHITECTURE.md')
  const text = withImportOrder(architecture?.text ?? '')
  if (architecture && text !== undefined) {
    writeFileSync(join(root, architecture.path), text)
    architecture.text = text
  }
}

const violations = tidy(files)
process.exitCode = violations.length > 0 ? 1 : 0
process.stdout.write(
  violations.length > 0
    ? `${violations.join('\n')}\n`
    : `Tidy: ${files.length} files keep ${Object.keys(rules).length} rules.\n`,
)

/** Includes new files, so that a violation shows before the commit, and leaves out deleted ones. */
function tracked(): TrackedFile[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  const paths = [...new Set(list.toString().split('\0'))].filter((path) => path !== '')
  return paths
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, text: textOf(join(root, path)) }))
}

/** Binary files, such as pictures and fonts, have an empty text. */
function textOf(path: string): string {
  const bytes = readFileSync(path)
  return bytes.includes(0) ? '' : bytes.toString()
}
