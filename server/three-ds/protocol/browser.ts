import { isIP, isIPv4 } from 'node:net'
import type { Static } from 'typebox'
import { Type } from '../../../kit/input/schema.ts'
import { defaultLanguage } from '../../../kit/text/locale.ts'
import { digitsOfLengthSchema, enumSchema, nonNullElementsOf, textOfLengthSchema } from './element-schemas.ts'
import type { ProtocolVersion } from './versions.ts'

const colourDepths = [48, 32, 24, 16, 15, 8, 4, 1] as const

/** A tag of BCP 47, as far as anybody writes it. */
const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i
/** Version 2.3 has made room for longer ones. */
const longestLanguages: Readonly<Record<ProtocolVersion, number>> = { '2.2.0': 8, '2.3.1': 35 }
const longestHeader = 2048

const always = (version: ProtocolVersion) => ({
  browserAcceptHeader: textOfLengthSchema(1, longestHeader),
  browserUserAgent: textOfLengthSchema(1, longestHeader),
  browserLanguage: textOfLengthSchema(1, longestLanguages[version]),
  browserJavascriptEnabled: Type.Boolean(),
  browserIP: Type.Optional(textOfLengthSchema(1, 45)),
})

/** The elements that only a script can know. */
const byScript = {
  browserJavaEnabled: Type.Boolean(),
  browserColorDepth: enumSchema('1', '4', '8', '15', '16', '24', '32', '48'),
  browserScreenHeight: digitsOfLengthSchema(1, 6),
  browserScreenWidth: digitsOfLengthSchema(1, 6),
  browserTZ: Type.String({ pattern: '^-?[0-9]{1,4}$' }),
}

/** The elements of an AReq that are about the browser. */
export const browserElementSchemasFor = (version: ProtocolVersion) => ({
  ...always(version),
  browserJavaEnabled: Type.Optional(byScript.browserJavaEnabled),
  browserColorDepth: Type.Optional(byScript.browserColorDepth),
  browserScreenHeight: Type.Optional(byScript.browserScreenHeight),
  browserScreenWidth: Type.Optional(byScript.browserScreenWidth),
  browserTZ: Type.Optional(byScript.browserTZ),
})

const ByScript = Type.Object(byScript)
type ByScript = Static<typeof ByScript>

export type BrowserElements = {
  browserAcceptHeader: string
  browserUserAgent: string
  browserLanguage: string
  browserIP?: string
} & ({ browserJavascriptEnabled: false } | ({ browserJavascriptEnabled: true } & ByScript))

/** What is known of a browser. Nothing of it can be trusted to have a form. */
export interface BrowserFacts {
  /** The headers of the request that brought the card. */
  acceptHeader: string | undefined
  userAgent: string | undefined
  acceptLanguage: string | undefined
  /** Where the request came from, behind the proxies that we trust. */
  address: string | undefined
  /**
   * What the page's script has found out, as it was posted: `javaEnabled`, `language`, `colorDepth`, `screenHeight`,
   * `screenWidth` and `timeZoneOffset`, in numbers or in texts. Undefined when no script ran.
   */
  script: unknown
}

/**
 * The elements about a browser, as a version wants them. Guarantee: whatever the facts are, each element has its form.
 * Nothing is made up about the screen or the clock: unless all of it can be used, it counts as a browser without scripts,
 * of which nothing is said.
 */
export function browserElementsFrom(facts: BrowserFacts, version: ProtocolVersion): BrowserElements {
  const reported = nonNullElementsOf(facts.script) ?? {}
  const address = addressIn(facts.address)
  const script = scriptElements(reported)
  return {
    // A browser that does not say what it takes takes anything.
    browserAcceptHeader: headerIn(facts.acceptHeader) ?? '*/*',
    browserUserAgent: headerIn(facts.userAgent) ?? 'unknown',
    browserLanguage:
      languageIn(reported['language'], version) ??
      languageIn(facts.acceptLanguage?.split(/[,;]/, 1)[0], version) ??
      defaultLanguage,
    ...(address === undefined ? {} : { browserIP: address }),
    ...(script ? { browserJavascriptEnabled: true, ...script } : { browserJavascriptEnabled: false }),
  }
}

function scriptElements(reported: Readonly<Record<string, unknown>>): ByScript | undefined {
  const depth = wholeNumber(reported['colorDepth'])
  const height = wholeNumber(reported['screenHeight'])
  const width = wholeNumber(reported['screenWidth'])
  const offset = wholeNumber(reported['timeZoneOffset'])
  if (depth === undefined || height === undefined || width === undefined || offset === undefined) {
    return undefined
  }
  // A screen of 30 bits is one of 24 to a directory server, which knows no other numbers.
  const known = colourDepths.find((each) => each <= depth)
  // No place on Earth is further from UTC than a day.
  if (known === undefined || height < 0 || width < 0 || Math.abs(offset) > 24 * 60) return undefined
  return {
    browserJavaEnabled: reported['javaEnabled'] === true || reported['javaEnabled'] === 'true',
    browserColorDepth: `${known}`,
    browserScreenHeight: String(Math.min(height, 999_999)),
    browserScreenWidth: String(Math.min(width, 999_999)),
    browserTZ: String(offset),
  }
}

/** A number, or a text of one: a form posts texts. Fractions are what a zoomed screen has. */
function wholeNumber(reported: unknown): number | undefined {
  const isWritten = typeof reported === 'string' && /^-?\d{1,9}(?:\.\d{1,9})?$/.test(reported)
  const number = isWritten
    ? Math.round(Number(reported))
    : typeof reported === 'number'
      ? Math.round(reported)
      : Number.NaN
  // There is a zero below zero, and it is written like the other.
  return Number.isSafeInteger(number) ? number + 0 : undefined
}

/** Nothing but what may stand in a header, and no more of it than there is room. */
function headerIn(header: string | undefined): string | undefined {
  const clean = header
    ?.replaceAll(/[^\x20-\x7e]/g, ' ')
    .trim()
    .slice(0, longestHeader)
    .trim()
  return clean === '' ? undefined : clean
}

/** A tag, cut between its parts where it is too long: `en-GB-oxendict` is `en-GB` to who has room for eight. */
function languageIn(reported: unknown, version: ProtocolVersion): string | undefined {
  if (typeof reported !== 'string') return undefined
  const tag = reported.trim().replaceAll('_', '-')
  if (tag.length > 100 || !languageTag.test(tag)) return undefined
  const parts = tag.split('-')
  // A single letter announces what follows it and cannot stand at the end.
  while (
    parts.join('-').length > longestLanguages[version] ||
    (parts.length > 1 && parts.at(-1)?.length === 1)
  ) {
    parts.pop()
  }
  return parts.join('-')
}

/** An address, of version 4 also where it arrived in the clothes of version 6. */
function addressIn(reported: string | undefined): string | undefined {
  const address = reported?.trim().split('%', 1)[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  return isIP(address) === 0 ? undefined : address
}
