/** A whole address of the web, and of nothing else: `javascript:` and the like are none, nor may it hold a password. */
export function webAddress(value: unknown): URL | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const url = new URL(value)
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
  } catch {
    return undefined
  }
}
