import { truncated } from './terminal-safe-text.ts'

/** Columns that fit most terminals and a page of documentation. */
export const assumedTerminalColumns = 100

/**
 * Rows under headings for a terminal. Each column is as wide as its widest cell. The last cell is cut if a
 * line would be wider than `widest`.
 */
export function textTable(headings: string[], rows: string[][], widest = Number.POSITIVE_INFINITY): string {
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  )
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === headings.length - 1
            ? truncated(cell, widest - before)
            : padded(cell, widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A text table of records: each column by its heading. */
export function recordTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number>>,
): string {
  const cells = rows.map((row) => Object.values(columns).map((cell) => String(cell(row))))
  return textTable(Object.keys(columns), cells)
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - [...cell].length))
}

/** Breaks a text into lines that fit a terminal. Each line after the first is indented by so many columns. */
export function wrappedText(text: string, indent: number): string {
  const lines: string[] = []
  let rest = text
  while (rest.length > assumedTerminalColumns) {
    const end = rest.lastIndexOf(' ', assumedTerminalColumns)
    if (end <= indent) break
    lines.push(rest.slice(0, end))
    rest = ' '.repeat(indent) + rest.slice(end + 1)
  }
  return [...lines, rest].join('\n')
}
