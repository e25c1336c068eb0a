/** Kinds of lines with their possible states. */
export const lineStates = {
  charge: ['taken', 'held', 'undone'],
  refund: ['done'],
} as const

export type LineSubject = keyof typeof lineStates

export type LineState = (typeof lineStates)[LineSubject][number]

/** A bank's line about a charge or a refund of a day. */
export interface StatementLine {
  /** Line number in the file. */
  line: number
  terminal: string
  reference: string
  subject: LineSubject
  /** The bank's name of a refund, if it can be the id of one of ours. */
  refundId: number | null
  amountMinor: number
  currency: string
  state: LineState
  /** Hash of the line's text: equal for identical lines, almost never for different lines. */
  mark: number
}

export const maxLines = 2_000_000

/** More than the terminals of any bank. */
const maxNames = 60_000

/** Parts of a reference of ours: the attempt's id, and the six characters after it as a base-36 number. */
interface Reference {
  attemptId: number
  ending: number
}

const kinds: readonly (readonly [LineSubject, LineState])[] = [
  ['charge', 'taken'],
  ['charge', 'held'],
  ['charge', 'undone'],
  ['refund', 'done'],
]

/**
 * Lines of a statement whose reference has our form. Growing typed arrays need about 45 bytes a line; objects
 * would need ten times as much. `sort` groups the lines by charge, in the order of the file.
 */
export class StatementLines {
  readonly #attemptIds = grown(Float64Array)
  readonly #endings = grown(Uint32Array)
  readonly #amounts = grown(Float64Array)
  readonly #refundIds = grown(Float64Array)
  readonly #lines = grown(Uint32Array)
  readonly #marks = grown(Uint32Array)
  readonly #terminals = grown(Uint16Array)
  readonly #currencies = grown(Uint16Array)
  readonly #kinds = grown(Uint8Array)
  readonly #terminalNames = new Names()
  #size = 0
  #order = new Uint32Array()

  get size(): number {
    return this.#size
  }

  /** Adds a line and returns true, unless its reference cannot be ours. */
  add(line: StatementLine): boolean {
    const reference = readReference(line.reference)
    if (!reference) return false
    const at = this.#size
    this.#size += 1
    put(this.#attemptIds, at, reference.attemptId)
    put(this.#endings, at, reference.ending)
    put(this.#amounts, at, line.amountMinor)
    put(this.#refundIds, at, line.refundId ?? 0)
    put(this.#lines, at, line.line)
    put(this.#marks, at, line.mark)
    put(this.#terminals, at, this.#terminalNames.numberOf(line.terminal))
    put(this.#currencies, at, Number.parseInt(line.currency, 36))
    put(
      this.#kinds,
      at,
      kinds.findIndex(([subject, state]) => subject === line.subject && state === line.state),
    )
    return true
  }

  sort(): void {
    this.#order = Uint32Array.from({ length: this.#size }, (_, index) => index)
    this.#order.sort((a, b) => this.#compare(a, this.#referenceAt(b)) || a - b)
  }

  /** Lines grouped by reference, `size` references at a time. */
  *batches(size: number): Generator<StatementLine[][]> {
    let batch: StatementLine[][] = []
    for (let start = 0; start < this.#size; ) {
      const reference = this.#referenceAt(this.#order[start] ?? 0)
      const lines: StatementLine[] = []
      for (; start < this.#size && this.#compare(this.#order[start] ?? 0, reference) === 0; start++)
        lines.push(this.#lineAt(this.#order[start] ?? 0))
      batch.push(lines)
      if (batch.length === size) {
        yield batch
        batch = []
      }
    }
    if (batch.length > 0) yield batch
  }

  /** True if a line has this reference. */
  has(text: string): boolean {
    const reference = readReference(text)
    if (!reference) return false
    let low = 0
    let high = this.#size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(this.#order[middle] ?? 0, reference) < 0) low = middle + 1
      else high = middle
    }
    return low < this.#size && this.#compare(this.#order[low] ?? 0, reference) === 0
  }

  #referenceAt(index: number): Reference {
    return { attemptId: this.#attemptIds[index] ?? 0, ending: this.#endings[index] ?? 0 }
  }

  #compare(index: number, { attemptId, ending }: Reference): number {
    return (this.#attemptIds[index] ?? 0) - attemptId || (this.#endings[index] ?? 0) - ending
  }

  #lineAt(index: number): StatementLine {
    const [subject, state] = kinds[this.#kinds[index] ?? 0] ?? ['charge', 'taken']
    const { attemptId, ending } = this.#referenceAt(index)
    return {
      line: this.#lines[index] ?? 0,
      terminal: this.#terminalNames.nameOf(this.#terminals[index] ?? 0),
      reference: `${attemptId}${ending.toString(36).toUpperCase().padStart(6, '0')}`,
      subject,
      refundId: this.#refundIds[index] || null,
      amountMinor: this.#amounts[index] ?? 0,
      currency: (this.#currencies[index] ?? 0).toString(36).toUpperCase(),
      state,
      mark: this.#marks[index] ?? 0,
    }
  }
}

export function attemptIdIn(reference: string): number {
  return Number(reference.slice(0, 14))
}

/** True if the text has the form of our references. */
export function isOurReference(text: string): boolean {
  return /^[1-9]\d{13}[0-9A-Z]{6}$/.test(text)
}

function readReference(text: string): Reference | undefined {
  if (!isOurReference(text)) return undefined
  return { attemptId: attemptIdIn(text), ending: Number.parseInt(text.slice(14), 36) }
}

/** Strings with few distinct values, each stored once. */
class Names {
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []

  /** Names beyond the limit are not kept: they are only displayed, never compared. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (this.#names.length === maxNames) return maxNames
    this.#numbers.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }

  nameOf(number: number): string {
    return this.#names[number] ?? '…'
  }
}

type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** A typed array that grows in place, up to the length of the longest statement. */
function grown<List extends Numbers>(
  List: { new (bytes: ArrayBuffer): List } & { BYTES_PER_ELEMENT: number },
): List {
  return new List(new ArrayBuffer(0, { maxByteLength: maxLines * List.BYTES_PER_ELEMENT }))
}

const grownBy = 10_000

function put(list: Numbers, at: number, value: number): void {
  if (at === list.length) {
    const length = Math.min(maxLines, at + grownBy)
    ;(list.buffer as ArrayBuffer).resize(length * list.BYTES_PER_ELEMENT)
  }
  list[at] = value
}
