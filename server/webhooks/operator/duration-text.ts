const units = [
  { name: 's', ms: 1000, upTo: 60 },
  { name: 'min', ms: 60_000, upTo: 60 },
  { name: 'h', ms: 60 * 60_000, upTo: 48 },
  { name: 'days', ms: 24 * 60 * 60_000, upTo: Number.POSITIVE_INFINITY },
] as const

/** Rounded duration between two times: `40 s`, `4 min`, `6 h`, `5 days`. */
export function durationTextBetween(from: Date, to: Date): string {
  const countOf = (ms: number) => Math.max(1, Math.round((to.getTime() - from.getTime()) / ms))
  const [unit] = units.filter(({ ms, upTo }) => countOf(ms) < upTo)
  return unit ? `${countOf(unit.ms)} ${unit.name}` : ''
}
