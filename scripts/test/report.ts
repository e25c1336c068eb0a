import type { EventData } from 'node:test'
import { inspect } from 'node:util'

/** Characters of a reason in the summary. The last lines of a long log must be enough to understand a failure. */
const maxReasonLength = 2_000

/** Prints a line for each file as it ends and each failure in full as it happens, and counts. */
export class TestReport {
  passed = 0
  failed = 0
  skipped = 0
  readonly tookMs = new Map<string, number>()
  readonly #files: ReadonlySet<string>
  /** Names of tests and suites by file and id: a failure is reported with the suites around it. */
  readonly #names = new Map<string, { name: string; parent: string }>()
  readonly #failures: { name: string; reason: string }[] = []

  constructor(files: readonly string[]) {
    this.#files = new Set(files)
  }

  begin({ name, file, testId, parentId }: EventData.TestEnqueue): void {
    this.#names.set(`${file} ${testId}`, { name, parent: `${file} ${parentId}` })
  }

  complete(test: EventData.TestComplete): void {
    const { name, file, details, skip } = test
    if (this.#files.has(name)) this.#completeFile(name, details)
    else if (!details.passed)
      this.#fail(name === file ? 'a process of this run' : this.#pathOf(test), details.error)
    else if (skip !== undefined && skip !== false) this.#skip(this.#pathOf(test), skip)
    else if (details.type !== 'suite' && name !== file) this.passed += 1
  }

  /** Counts something beside the tests, such as the linter, as a test of its own. */
  check(name: string, isGood: boolean, output: string, seconds: string): void {
    process.stdout.write(`${isGood ? '✔' : '✖'} ${name} (${seconds})\n`)
    if (isGood) this.passed += 1
    else this.#fail(name, output)
  }

  /** A file without an end fails: its process broke down, or the run was stopped. */
  end(): void {
    const missing = [...this.#files].filter((file) => !this.tookMs.has(file))
    for (const file of missing)
      this.#fail(file, 'The file did not finish: its process ended early, or the run was stopped.')
  }

  /** The failures once more with the beginning of their reasons, the slowest files, and the count in one line. */
  summary(seconds: string): string {
    const slowest = [...this.tookMs].sort(([, one], [, other]) => other - one).slice(0, 10)
    const times = slowest.map(([file, ms]) => `${secondsText(ms).padStart(8)}  ${file}\n`).join('')
    const failures = this.#failures
      .map(({ name, reason }) => `✖ ${name}\n${reason.slice(0, maxReasonLength)}\n`)
      .join('')
    const count = `${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`
    return `\n${failures}${failures && '\n'}The slowest files, of ${seconds} in all:\n${times}\n${count}\n`
  }

  #completeFile(file: string, { duration_ms, passed, error }: EventData.TestComplete['details']): void {
    this.tookMs.set(file, duration_ms)
    process.stdout.write(`${passed ? '✔' : '✖'} ${file} (${secondsText(duration_ms)})\n`)
    if (!passed && !isOfSubtests(error)) this.#fail(file, error)
  }

  /** A suite that is skipped counts once: its tests are not known. */
  #skip(name: string, reason: string | true): void {
    this.skipped += 1
    process.stdout.write(`– ${name}${reason === true ? '' : `: ${reason}`}\n`)
  }

  #fail(name: string, error: unknown): void {
    if (isOfSubtests(error)) return
    this.failed += 1
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = typeof cause === 'string' ? cause : inspect(cause)
    this.#failures.push({ name, reason })
    process.stdout.write(`\n✖ ${name}\n${reason}\n\n`)
  }

  #pathOf({ file, testId, line }: EventData.TestComplete): string {
    const names: string[] = []
    let key = `${file} ${testId}`
    for (let known = this.#names.get(key); known; known = this.#names.get(key)) {
      names.unshift(known.name)
      key = known.parent
    }
    return `${names.join(' › ')} (${file}:${line})`
  }
}

/** A suite and a process fail with their tests, which were reported already. */
function isOfSubtests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed'
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
