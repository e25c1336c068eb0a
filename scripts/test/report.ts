import type { EventData } from 'node:test'
import { inspect } from 'node:util'

/**
 * Longest reason in the summary, in characters. The end of a long log must be enough to understand a failure.
 */
const maxReasonLength = 2_000

/** Counts results. Prints a line for each file when it ends, and each failure in full when it happens. */
export class TestReport {
  passed = 0
  failed = 0
  skipped = 0
  readonly tookMs = new Map<string, number>()
  readonly #files: ReadonlySet<string>
  /** Names of tests and suites by file and id. A failure is reported with its suites. */
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

  /** Counts a check that is not a test, for example the linter, as one test. */
  check(name: string, isGood: boolean, output: string, seconds: string): void {
    process.stdout.write(`${isGood ? '✔' : '✖'} ${name} (${seconds})\n`)
    if (isGood) this.passed += 1
    else this.#fail(name, output)
  }

  /** Fails every file that did not finish: its process crashed, or the run was stopped. */
  end(): void {
    const missing = [...this.#files].filter((file) => !this.tookMs.has(file))
    for (const file of missing)
      this.#fail(file, 'The file did not finish: its process ended early, or the run was stopped.')
  }

  /**
   * Repeats the failures with the beginning of their reasons, and adds the slowest files and one line of
   * counts.
   */
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

  /** A skipped suite counts once, because its tests are not known. */
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

/** True if a suite or process failed only because its tests failed. Those are already reported. */
function isOfSubtests(error: unknown): boolean {
  return error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed'
}

export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
