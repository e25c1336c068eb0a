/**
 * Absolute http or https address without user name and password; undefined for anything else, such as
 * `javascript:`.
 */
export function webAddress(value: unknown): URL | undefined {
  if (typeof value !== 'string') return undefined
  try {
    const url = new URL(value)
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
  } catch {
    return undefined
  }
}
