import type { BrotliOptions, ZlibOptions } from 'node:zlib'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { BoundedCache } from '../runtime/bounded-cache.ts'
import type { Html } from '../text/html.ts'
import { gzipHtmlPage } from './gzip.ts'

/** How the bytes of an answer are written; undefined: as they are. */
export type ContentEncoding = 'br' | 'gzip' | undefined

/** What a caller takes: the best of the offered ways to write, and whether the bytes as they are will do as well. */
export interface NegotiatedEncoding {
  encoding: ContentEncoding
  mayBePlain: boolean
}

/**
 * Reads Accept-Encoding as RFC 9110 says: by quality, and of equals the first one offered. Who takes nothing that there
 * is gets the bytes as they are: a page that may be readable is better than none.
 */
export function negotiateEncoding(
  header: string | string[] | undefined,
  offered: readonly ('br' | 'gzip')[],
): NegotiatedEncoding {
  // Who says nothing is most likely no browser.
  if (header === undefined || header.length > longestHeader) return { encoding: undefined, mayBePlain: true }
  const qualities = qualitiesIn(String(header))
  const others = qualities.get('*')
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get(`x-${name}`) ?? others ?? 0
  const plain = qualities.get('identity') ?? (others === 0 ? 0 : undefined)
  let encoding: ContentEncoding
  // Plain bytes are always fine unless something is said of them, so they are the last choice and not the first.
  let best = plain ?? 0
  for (const name of offered) {
    const quality = qualityOf(name)
    const isBetter = encoding === undefined ? quality > 0 && quality >= best : quality > best
    if (isBetter) [encoding, best] = [name, quality]
  }
  return { encoding, mayBePlain: plain !== 0 || encoding === undefined }
}

const longestHeader = 1_000

function qualitiesIn(header: string): Map<string, number> {
  const qualities = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [, name, quality = '1'] = /^\s*([^\s;]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? []
    if (name !== undefined) qualities.set(name, Math.min(1, Number(quality)))
  }
  return qualities
}

/** Shorter than this it is not worth anybody's time. */
const shortest = 1_024

/** Measured on the payment page: a third of the size in 0.06 ms. Higher qualities take three times as long for a tenth less. */
const quickGzip: ZlibOptions = { level: 1 }
const quickBrotli: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** An answer on its way. */
export interface EncodedBody {
  /** Each a letter: Node sends a text in one piece with the head, and two pieces take half as long again. */
  bytes: string
  encoding: ContentEncoding
}

/** An answer that is made for one caller, written as the caller takes it, at little cost. */
export function encodeBody(text: string, accepted: string | undefined): EncodedBody {
  const plain = Buffer.from(text)
  const { encoding, mayBePlain } = negotiateEncoding(accepted, ['gzip', 'br'])
  const isPlain = encoding === undefined || (mayBePlain && plain.length < shortest)
  if (isPlain) return { bytes: plain.toString('latin1'), encoding: undefined }
  const bytes = encoding === 'gzip' ? gzipSync(plain, quickGzip) : brotliCompressSync(plain, quickBrotli)
  return { bytes: bytes.toString('latin1'), encoding }
}

/** Browsers of a kind all say the same, and none as much as somebody can who wants it to be remembered. */
const acceptedForPages = new BoundedCache<string | undefined, NegotiatedEncoding>(1_000)
const longestUsualHeader = 100

function negotiateForPage(header: string | undefined): NegotiatedEncoding {
  return negotiateEncoding(header, ['gzip', 'br'])
}

/** Of a page with a hundred products most is made for its caller, and worth compressing. */
const maxUncompressed = 16_384

function ownLength({ pieces }: Html): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0), 0)
}

/**
 * A page, written as the caller takes it. What is the same for many was compressed before; what is made for this caller
 * goes between as it is: to compress a page that is mostly the same each time would take longer than to make it.
 */
export function encodeHtmlPage(page: Html, accepted: string | undefined): EncodedBody {
  const isUsual = accepted === undefined || accepted.length <= longestUsualHeader
  const { encoding } = isUsual ? acceptedForPages.get(accepted, negotiateForPage) : negotiateForPage(accepted)
  return encoding === 'gzip' && ownLength(page) <= maxUncompressed
    ? { bytes: gzipHtmlPage(page), encoding }
    : encodeBody(page.text, accepted)
}
