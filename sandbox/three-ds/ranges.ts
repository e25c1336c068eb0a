import { hash } from 'node:crypto'
import { authenticationCards, silentMethodRange } from './authentication-cards.ts'
import { newestVersion, oldestVersion } from './message.ts'

/** Numbers of one length, from the first to the last, that are treated alike. */
interface Range {
  start: bigint
  end: bigint
  method: 'none' | 'heard' | 'silent'
  /** The newest version that the bank behind them speaks. */
  newest: string
}

/** As a preparation response has it. */
export interface CardRangeData {
  startRange: string
  endRange: string
  actionInd: 'A'
  acsStartProtocolVersion: string
  acsEndProtocolVersion: string
  acsInfoInd: string[]
  threeDSMethodURL?: string
}

const lengths = [13, 14, 15, 16, 17, 18, 19]

/** All numbers of a length. Visa's have a page that looks at the browser; banks of Amex speak the older version alone. */
function allOf(length: number): Range[] {
  const from = (first: string) => BigInt(first.padEnd(length, '0'))
  const to = (first: string) => BigInt(first.padEnd(length, '9'))
  const plain = { method: 'none', newest: newestVersion } as const
  const older = { method: 'none', newest: oldestVersion } as const
  return [
    { start: from('1'), end: to('33'), ...plain },
    { start: from('34'), end: to('34'), ...older },
    { start: from('35'), end: to('36'), ...plain },
    { start: from('37'), end: to('37'), ...older },
    { start: from('38'), end: to('39'), ...plain },
    { start: from('4'), end: to('4'), method: 'heard', newest: newestVersion },
    { start: from('5'), end: to('9'), ...plain },
  ]
}

/** The ranges with some numbers of one of them taken out, or treated in another way. */
function cut(ranges: readonly Range[], first: string, last: string, method?: Range['method']): Range[] {
  const [start, end] = [BigInt(first), BigInt(last)]
  return ranges.flatMap((range) => {
    if (start < range.start || end > range.end) return [range]
    const before = { ...range, end: start - 1n }
    const after = { ...range, start: end + 1n }
    const middle = method === undefined ? [] : [{ ...range, start, end, method }]
    return [before, ...middle, after].filter((part) => part.start <= part.end)
  })
}

const notEnrolled = authenticationCards.filter(({ behaviour }) => behaviour.answer === 'not enrolled')

const ranges: readonly Range[] = notEnrolled.reduce(
  (rest, { number }) => cut(rest, number, number),
  cut(lengths.flatMap(allOf), silentMethodRange.start, silentMethodRange.end, 'silent'),
)

/** Every number that a card can have is in one range, but those of cards that are not enrolled. */
export function cardRangesAt(address: string): CardRangeData[] {
  const methods = { heard: `${address}/acs/method`, silent: `${address}/acs/method/silent` }
  return ranges.map(({ start, end, method, newest }) => ({
    startRange: String(start),
    endRange: String(end),
    actionInd: 'A',
    acsStartProtocolVersion: oldestVersion,
    acsEndProtocolVersion: newest,
    acsInfoInd: ['01', '02'],
    ...(method === 'none' ? {} : { threeDSMethodURL: methods[method] }),
  }))
}

/** Tells whether somebody has these very ranges. */
export function serialNumberAt(address: string): string {
  return hash('sha256', JSON.stringify(cardRangesAt(address)), 'hex').slice(0, 20)
}
