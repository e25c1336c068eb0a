const secretName = /token|secret|authorization|signature$/i
const secretText = /(sk_(?:test|live)_|whsec_|eyJ)[\w+/=.-]{6,}/g
const longestText = 2_000
const deepest = 12

/**
 * The value for display: keys, tokens and secrets are cut to their beginning, and long texts and lists are
 * shortened.
 */
export function maskSecrets(value: unknown, name = '', depth = 0): unknown {
  if (typeof value === 'string') return shortText(value, name)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '…'
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => maskSecrets(each, name, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, maskSecrets(each, key, depth + 1)]),
  )
}

function shortText(text: string, name: string): string {
  const masked = text.replaceAll(
    secretText,
    (whole, prefix: string) => `${whole.slice(0, prefix.length + 3)}…`,
  )
  if (masked === text && secretName.test(name) && text.length > 12) return `${text.slice(0, 8)}…`
  return masked.length > longestText ? `${masked.slice(0, longestText)}…` : masked
}
