/** A test merchant's payments go to the sandbox, which speaks plain HTTP on the machine; nobody else's do. */
export type MerchantEnvironment = 'test' | 'live'

/** Whether it is an absolute address without credentials in it, of HTTPS unless it is a test. */
export function isWebAddress(text: string, environment: MerchantEnvironment): boolean {
  // What the parser of addresses would quietly mend is not sent on, nor is a browser sent there.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || environment === 'test') && username === '' && password === ''
}
