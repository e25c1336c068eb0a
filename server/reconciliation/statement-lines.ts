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
const maxTerminals = 60_000

/** Parts of a reference of ours: the attempt's id, and the six characters after it as a base-36 number. */
interface Reference {
  attemptId: number
  ending: number
}

const kinds = (['charge', 'refund'] as const).flatMap((subject) =>
  lineStates[subject].map((state) => ({ subject, state })),
)

/** Numbers that a line is stored as. */
const width = 9

/** Lines by which the storage grows. */
const grownBy = 10_000

/**
 * Lines of a statement whose reference has our form. As numbers, one line after the other, they need 72 bytes a
 * line; objects would need several times as much. `sort` groups the lines by charge, in the order of the file.
 */
export class StatementLines {
  readonly #buffer = new ArrayBuffer(0, { maxByteLength: maxLines * width * Float64Array.BYTES_PER_ELEMENT })
  readonly #numbers = new Float64Array(this.#buffer)
  readonly #terminals: string[] = []
  readonly #terminalNumbers = new Map<string, number>()
  #size = 0
  #order = new Uint32Array()

  get size(): number {
    return this.#size
  }

  /** Adds a line and returns true, unless its reference cannot be ours. */
  add(line: StatementLine): boolean {
    const reference = readReference(line.reference)
    if (!reference) return false
    const at = this.#size * width
    if (at === this.#numbers.length) {
      const lines = Math.min(maxLines, this.#size + grownBy)
      this.#buffer.resize(lines * width * Float64Array.BYTES_PER_ELEMENT)
    }
    const { line: number, amountMinor, mark } = line
    const kind = kinds.findIndex(({ subject, state }) => subject === line.subject && state === line.state)
    const currency = Number.parseInt(line.currency, 36)
    const terminal = this.#terminalNumber(line.terminal)
    this.#numbers.set(
      [
        reference.attemptId,
        reference.ending,
        number,
        amountMinor,
        line.refundId ?? 0,
        mark,
        currency,
        terminal,
        kind,
      ],
      at,
    )
    this.#size += 1
    return true
  }

  /** Names beyond the limit are not kept: they are only displayed, never compared. */
  #terminalNumber(name: string): number {
    const known = this.#terminalNumbers.get(name)
    if (known !== undefined) return known
    if (this.#terminals.length === maxTerminals) return maxTerminals
    this.#terminalNumbers.set(name, this.#terminals.length)
    return this.#terminals.push(name) - 1
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
    const at = index * width
    return { attemptId: this.#numbers[at] ?? 0, ending: this.#numbers[at + 1] ?? 0 }
  }

  #compare(index: number, { attemptId, ending }: Reference): number {
    const at = index * width
    return (this.#numbers[at] ?? 0) - attemptId || (this.#numbers[at + 1] ?? 0) - ending
  }

  #lineAt(index: number): StatementLine {
    const numbers = this.#numbers.subarray(index * width, (index + 1) * width)
    const [attemptId = 0, ending = 0, line = 0, amountMinor = 0, refundId = 0, mark = 0, ...rest] = numbers
    const [currency = 0, terminal = 0, kind = 0] = rest
    return {
      line,
      terminal: this.#terminals[terminal] ?? '…',
      reference: `${attemptId}${ending.toString(36).toUpperCase().padStart(6, '0')}`,
      refundId: refundId || null,
      amountMinor,
      currency: currency.toString(36).toUpperCase(),
      mark,
      ...(kinds[kind] ?? { subject: 'charge', state: 'taken' }),
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
