const secretName = /token|secret|authorization|signature$/i
const longestText = 2_000

/**
 * The value for display: keys and tokens are cut to their beginning, and long texts and lists are shortened.
 */
export function maskSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (secretName.test(name) && value.length > 12) return `${value.slice(0, value.indexOf(' ') + 13)}…`
    return value.length > longestText ? `${value.slice(0, longestText)}…` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => maskSecrets(each, name))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskSecrets(each, key)]))
}
