import { isIP, isIPv4 } from 'node:net'
import { Type } from '../../../kit/input/schema.ts'
import { defaultLanguage } from '../../../kit/text/locale.ts'
import { digitsOfLengthSchema, nonNullElementsOf, textOfLengthSchema } from './element-schemas.ts'
import type { ProtocolVersion } from './versions.ts'

const colourDepths = [48, 32, 24, 16, 15, 8, 4, 1] as const

/** BCP 47 language tag, as far as it is used in practice. */
const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i
/** Maximum length of a language tag. Version 2.3 allows longer ones. */
const longestLanguages: Readonly<Record<ProtocolVersion, number>> = { '2.2.0': 8, '2.3.1': 35 }
const longestHeader = 2048

/** Data about a browser, unchecked. */
export interface BrowserFacts {
  /** Headers of the browser's request. */
  acceptHeader: string | undefined
  userAgent: string | undefined
  acceptLanguage: string | undefined
  /** Client IP address, behind the trusted proxies. */
  address: string | undefined
  /**
   * Data posted by the page's script: `javaEnabled`, `language`, `colorDepth`, `screenHeight`, `screenWidth`
   * and `timeZoneOffset`, as numbers or strings. Undefined if no script ran.
   */
  script: unknown
}

/**
 * Browser elements for a protocol version. Guarantee: each element is valid, whatever the facts are. No
 * screen or time zone value is invented: if one is unusable, all are left out, as for a browser without
 * scripts.
 */
export function browserElementsFrom(facts: BrowserFacts, version: ProtocolVersion) {
  const reported = nonNullElementsOf(facts.script) ?? {}
  const script = scriptElements(reported)
  const headerSchema = textOfLengthSchema(1, longestHeader)
  const language =
    languageIn(reported['language'], version) ??
    languageIn(facts.acceptLanguage?.split(/[,;]/, 1)[0], version) ??
    defaultLanguage
  return {
    // A browser without an Accept header accepts anything.
    browserAcceptHeader: [headerIn(facts.acceptHeader) ?? '*/*', headerSchema],
    browserUserAgent: [headerIn(facts.userAgent) ?? 'unknown', headerSchema],
    browserLanguage: [language, textOfLengthSchema(1, longestLanguages[version])],
    browserIP: [addressIn(facts.address), textOfLengthSchema(1, 45), 'optional'],
    browserJavascriptEnabled: script !== undefined,
    ...script,
  } as const
}

function scriptElements(reported: Readonly<Record<string, unknown>>) {
  const depth = wholeNumber(reported['colorDepth'])
  const height = wholeNumber(reported['screenHeight'])
  const width = wholeNumber(reported['screenWidth'])
  const offset = wholeNumber(reported['timeZoneOffset'])
  if (depth === undefined || height === undefined || width === undefined || offset === undefined) {
    return undefined
  }
  // The protocol has no depth of 30 bits: it is sent as 24.
  const known = colourDepths.find((each) => each <= depth)
  // No time zone differs from UTC by more than a day.
  if (known === undefined || height < 0 || width < 0 || Math.abs(offset) > 24 * 60) return undefined
  return {
    browserJavaEnabled: reported['javaEnabled'] === true || reported['javaEnabled'] === 'true',
    browserColorDepth: String(known),
    browserScreenHeight: [String(Math.min(height, 999_999)), digitsOfLengthSchema(1, 6)],
    browserScreenWidth: [String(Math.min(width, 999_999)), digitsOfLengthSchema(1, 6)],
    browserTZ: [String(offset), Type.String({ pattern: '^-?[0-9]{1,4}$' })],
  } as const
}

/** Rounded number from a number or a string: forms post strings, and zoomed screens report fractions. */
function wholeNumber(reported: unknown): number | undefined {
  const isWritten = typeof reported === 'string' && /^-?\d{1,9}(?:\.\d{1,9})?$/.test(reported)
  const number = isWritten
    ? Math.round(Number(reported))
    : typeof reported === 'number'
      ? Math.round(reported)
      : Number.NaN
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(number) ? number + 0 : undefined
}

/** Header with only the allowed characters, cut to its maximum length. */
function headerIn(header: string | undefined): string | undefined {
  const clean = header
    ?.replaceAll(/[^\x20-\x7e]/g, ' ')
    .trim()
    .slice(0, longestHeader)
    .trim()
  return clean === '' ? undefined : clean
}

/** Language tag, cut between its subtags if too long: `en-GB-oxendict` becomes `en-GB` in 2.2.0. */
function languageIn(reported: unknown, version: ProtocolVersion): string | undefined {
  if (typeof reported !== 'string') return undefined
  const tag = reported.trim().replaceAll('_', '-')
  if (tag.length > 100 || !languageTag.test(tag)) return undefined
  const parts = tag.split('-')
  // A single-letter subtag introduces the next one and must not be the last.
  while (
    parts.join('-').length > longestLanguages[version] ||
    (parts.length > 1 && parts.at(-1)?.length === 1)
  ) {
    parts.pop()
  }
  return parts.join('-')
}

/** Valid IP address. An IPv4 address mapped to IPv6 becomes IPv4. */
function addressIn(reported: string | undefined): string | undefined {
  const address = reported?.trim().split('%', 1)[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  return isIP(address) === 0 ? undefined : address
}
