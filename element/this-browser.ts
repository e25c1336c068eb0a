import type { Browser } from './browser.ts'

export const thisBrowser: Browser = {
  fetch: (url, request) => fetch(url, request),
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  uuid,
  report: (error) => reportError(error),
  // biome-ignore lint/suspicious/noConsole: it is where developers look
  complain: (...words) => console.error('Vezne:', ...words),
}

/** `crypto.randomUUID` is missing on pages over plain http, for example while a shop is being built. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
