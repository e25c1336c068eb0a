import type { Config } from '../config.ts'

const nothing = "default-src 'none'; base-uri 'none'"

/**
 * The page on which the card is typed: everything on it is ours, it posts no form, nobody may frame it, and no text
 * becomes a script.
 */
export const pagePolicy = [
  nothing,
  "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'",
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ')

/** A page with words alone. */
export const plainPolicy = `${nothing}; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'`

/**
 * The frame between our page and the bank's: where banks' pages are nobody can list, so it may frame and post to any,
 * and for that it never holds a card.
 */
export function bridgePolicy({ pageUrl }: Pick<Config, 'pageUrl'>): string {
  const anyone = pageUrl.startsWith('https:') ? 'https:' : 'http: https:'
  return [
    nothing,
    "script-src 'self'; style-src 'self'; connect-src 'self'",
    `frame-src ${anyone}; form-action ${anyone}`,
    "frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ')
}

/** The empty frame from which a card is posted to one bank and to nobody else. It runs nothing. */
export function carrierPolicy(formHost: string): string {
  return `${nothing}; form-action ${formHost}; frame-ancestors 'self'`
}

/** What a bank's page leads back to inside its frame. Who is above it cannot be known: it holds nothing. */
export const noticePolicy = `${nothing}; script-src 'self'; form-action 'none'`
