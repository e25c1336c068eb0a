/** The smallest value that this share of the sorted values does not exceed; NaN without values. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? Number.NaN
}

/** The value in the middle; with an even number of values the upper one of two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
