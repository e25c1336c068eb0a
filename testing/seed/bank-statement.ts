import { decimalText } from '../../kit/money/money.ts'

/** A line of a bank's statement, as a test writes it. */
export interface TestStatementLine {
  reference: string
  type?: string
  part?: string
  amountMinor: number
  currency?: string
  state: string
  at?: string
}

export const statementHeader = 'day,terminal,reference,type,part,amount,currency,state,at'

/** Statement text as a bank writes it. */
export function statementText(day: string, lines: readonly TestStatementLine[]): string {
  const rows = lines.map((line) =>
    [
      day,
      'T0001',
      line.reference,
      line.type ?? (line.state === 'done' ? 'refund' : 'charge'),
      line.part ?? '',
      decimalText(line.amountMinor, '.'),
      line.currency ?? 'TRY',
      line.state,
      line.at ?? `${day}T12:00:00+03:00`,
    ].join(','),
  )
  return [statementHeader, ...rows, ''].join('\n')
}
