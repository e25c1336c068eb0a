import { hash } from 'node:crypto'
import { authenticationCards, silentMethodRange } from './authentication-cards.ts'
import { newestVersion, oldestVersion } from './message.ts'

/** Card numbers of one length, from first to last, with the same behaviour. */
interface Range {
  start: bigint
  end: bigint
  method: 'none' | 'heard' | 'silent'
  /** Newest protocol version of the ACS. */
  newest: string
}

/** Element of `cardRangeData` in a preparation response. */
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

/** All card numbers of a length. Visa has a 3DS Method; Amex supports only the older version. */
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

/** Ranges without the numbers from `first` to `last`, or with another method for them. */
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

/** Guarantee: every card number is in exactly one range, except the cards that are not enrolled. */
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

/** Serial number of the ranges; it changes if a range changes. */
export function serialNumberAt(address: string): string {
  return hash('sha256', JSON.stringify(cardRangesAt(address)), 'hex').slice(0, 20)
}
