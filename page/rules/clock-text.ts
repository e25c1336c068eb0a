/** Formats a remaining time as a clock: `4:59`. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
