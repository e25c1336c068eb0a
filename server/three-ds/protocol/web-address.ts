/** Test merchants use the sandbox, which runs on plain HTTP on the same machine; live merchants never do. */
export type MerchantEnvironment = 'test' | 'live'

/** True for an absolute address without credentials. HTTPS is required unless the environment is test. */
export function isWebAddress(text: string, environment: MerchantEnvironment): boolean {
  // Refuses addresses that the URL parser would silently correct.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || environment === 'test') && username === '' && password === ''
}
