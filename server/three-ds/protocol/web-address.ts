/** A test merchant's payments go to the sandbox, which speaks plain HTTP on the machine; nobody else's do. */
export type Mode = 'test' | 'live'

/** Whether it is an absolute address without credentials in it, of HTTPS unless it is a test. */
export function isWebAddress(text: string, mode: Mode): boolean {
  // What the parser of addresses would quietly mend is not sent on, nor is a browser sent there.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || mode === 'test') && username === '' && password === ''
}
