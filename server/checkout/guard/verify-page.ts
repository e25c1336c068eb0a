import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { command, WrongUsage } from '../../../kit/command-line/command.ts'
import type { Asset } from '../../../kit/http/bundle.ts'
import { assetHeaders } from '../../../kit/http/bundle.ts'
import { booleanField, objectSchema, optional, textField } from '../../../kit/input/fields.ts'
import type { HttpClient, HttpResponse } from '../../../kit/outbound/http-client.ts'
import { NoHttpResponse, networkHttpClient } from '../../../kit/outbound/http-client.ts'
import { systemClock } from '../../../kit/runtime/clock.ts'
import type { Config } from '../../config.ts'
import type { AssetName } from '../files/assets.ts'
import { allAssets, assetByName, loadedFile } from '../files/assets.ts'
import { elementScriptAsset, elementScriptHeaders, elementScriptUrl } from '../files/element-script.ts'
import { colourStyle, pageStyle } from '../files/styles.ts'
import { httpErrorPageHtml } from '../view/document.ts'
import { isTileAddress } from '../view/tile.ts'
import type { PageMerchant } from './content-security-policy.ts'
import {
  defaultContentSecurityPolicy,
  pageOriginHeaders,
  pagePolicy,
  policyHeaders,
  threeDsBridgePolicy,
} from './content-security-policy.ts'
import { isCardEntrySecure } from './page-security.ts'
import type { ExpectedFiles, PageDifference } from './verify-page-markup.ts'
import { colourIn, differencesInMarkup, printable, returnOriginsIn } from './verify-page-markup.ts'

/** One fetched part, with its differences from the release. */
export interface PageVerificationItem {
  what: string
  differences: PageDifference[]
  /** Fact that only an operator can judge. */
  note?: string
}

export const verifyPageCommand = command({
  input: objectSchema({
    url: optional(textField('Address of the payment page for browsers. Default: PAGE_URL.', { max: 120 })),
    page: optional(
      textField(
        'Whole address of one payment page, to compare it too. The page then counts as viewed by its payer.',
        {
          max: 400,
        },
      ),
    ),
    json: optional(booleanField('Prints the result as JSON.')),
  }),
  run: async ({ config }: { config: Config }, input, print) => {
    const pageUrl = readUrl(input.url ?? config.pageUrl)
    if (input.page !== undefined && !input.page.startsWith(`${pageUrl}/p/`))
      throw new WrongUsage(`--page must begin with ${pageUrl}/p/`)
    const target = { config: { ...config, pageUrl }, http: networkHttpClient(systemClock) }
    const verified = await verifyPublishedPage(target, input.page)
    const count = verified.reduce((sum, { differences }) => sum + differences.length, 0)
    if (input.json)
      print(JSON.stringify({ release: config.version, url: pageUrl, differences: count, verified }))
    else for (const line of linesOf(verified)) print(line)
    if (isOutOfReach(verified)) throw new Error(`${pageUrl} could not be reached. Nothing was compared.`)
    if (count > 0) throw new Error(`${pageUrl} differs from release ${config.version}: differences ${count}`)
    if (!input.json) print(`${pageUrl} matches release ${config.version}.`)
  },
})

/** True if no request was answered. */
function isOutOfReach([, ...fetchedParts]: readonly PageVerificationItem[]): boolean {
  return fetchedParts.every(({ differences }) => differences.some(({ what }) => what === 'answer'))
}

function readUrl(url: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new WrongUsage('--url must be an http address')
  return url.replace(/\/+$/, '')
}

interface VerificationTarget {
  config: Config
  http: HttpClient
}

/** Fetches and compares all parts like a browser. Guarantee: responses are only compared, never followed. */
export async function verifyPublishedPage(
  target: VerificationTarget,
  page?: string,
): Promise<PageVerificationItem[]> {
  const { config } = target
  const all: PageVerificationItem[] = [verifyConnection(config), await verifyNotFound(target)]
  for (const asset of [...allAssets(), elementScriptAsset()]) {
    const { url } = servedAsset(asset)
    all.push(await verify(url, async (differ) => differ(await differencesInAsset(target, asset))))
  }
  if (page === undefined) return all
  const address = page.split(/[?#]/, 1)[0] ?? ''
  all.push(
    await verifyMarkup(target, 'the payment page', address, { script: 'page.js', policyFor: pagePolicy }),
    await verifyMarkup(target, 'the bridge to the bank', address, {
      below: '/bank',
      script: 'bridge.js',
      policyFor: threeDsBridgePolicy,
    }),
  )
  return all
}

function verifyConnection(config: Config): PageVerificationItem {
  const [expected, received] = ['https', new URL(config.pageUrl).protocol.slice(0, -1)]
  const what = 'the protocol of the address'
  return { what, differences: isCardEntrySecure(config) ? [] : [{ what: 'protocol', expected, received }] }
}

/** The not-found page is the same for everyone, so it is compared byte by byte. */
async function verifyNotFound(target: VerificationTarget): Promise<PageVerificationItem> {
  const { config } = target
  return verify('the not-found page', async (differ) => {
    const answer = await fetched(target, `${config.pageUrl}/p/x`, 'text/html')
    differ(differencesInHead(answer, 404, pageHeaders(config, defaultContentSecurityPolicy)))
    const html = httpErrorPageHtml(config, 404, 'en').text
    if (bodyOf(answer) !== html) differ(bytesDiffer(Buffer.from(html), Buffer.from(bodyOf(answer))))
    differ(differencesInMarkup(bodyOf(answer), partsOf(config)))
  })
}

/** Compares every encoding, because each has its own bytes. */
async function differencesInAsset(target: VerificationTarget, asset: Asset): Promise<PageDifference[]> {
  const { config } = target
  const served = servedAsset(asset)
  const all: PageDifference[] = []
  for (const encoding of ['br', 'gzip', 'identity']) {
    const answer = await fetched(target, `${config.pageUrl}${served.url}`, '*/*', encoding)
    // A proxy may encode the file differently; the decoded bytes count.
    const { vary: _vary, etag: _etag, ...headers } = served.headers
    all.push(...differencesInHead(answer, 200, { ...pageOriginHeaders(config), ...headers }))
    const bytes = bytesOf(answer)
    if (!bytes.equals(asset.bytes)) all.push(...bytesDiffer(asset.bytes, bytes))
  }
  return all
}

function servedAsset(asset: Asset): { url: string; headers: Record<string, string> } {
  if (asset === elementScriptAsset())
    return { url: elementScriptUrl, headers: elementScriptHeaders(asset, undefined) }
  return { url: `/assets/${asset.name}`, headers: assetHeaders(asset, undefined) }
}

interface PagePart {
  /** Path below the address of the payment page. */
  below?: string
  script: AssetName
  policyFor: (config: Config, merchant: PageMerchant) => string
}

/** Compares a payment's page: its text may differ, but nothing that runs, loads or leads elsewhere. */
async function verifyMarkup(
  target: VerificationTarget,
  what: string,
  address: string,
  { below = '', script, policyFor }: PagePart,
): Promise<PageVerificationItem> {
  const { config } = target
  let framers: string[] = []
  let returnLinks: string[] = []
  const result = await verify(what, async (differ) => {
    const answer = await fetched(target, address + below, 'text/html')
    framers = framersIn(answer.headers.get('content-security-policy') ?? '')
    const colour = colourIn(bodyOf(answer))
    const policy = policyFor(config, { live: false, origins: framers, colour })
    differ(differencesInHead(answer, 200, pageHeaders(config, policy)))
    const parts = partsOf(config, { address, framers, script, colour })
    differ(differencesInMarkup(bodyOf(answer), parts))
    returnLinks = returnOriginsIn(bodyOf(answer))
  })
  const framed = `may be framed by: ${framers.join(' ') || 'no other origin'}`
  return { ...result, note: [framed, ...returnLinks.map((where) => `returns to: ${where}`)].join('; ') }
}

function pageHeaders(config: Config, policy: string): Record<string, string | undefined> {
  const type = { 'content-type': 'text/html; charset=utf-8' }
  return { ...pageOriginHeaders(config), ...policyHeaders(config, policy), ...type }
}

/** Origins in the policy. They depend on the merchant, but only valid origins match the rebuilt policy. */
function framersIn(policy: string): string[] {
  const [, who = ''] = /(?:^|;)\s*frame-ancestors ([^;]*)/.exec(policy) ?? []
  return who.split(' ').filter((each) => !["'none'", "'self'", ''].includes(each))
}

/** A page of a payment; without one, a page of words. */
interface PaymentPage {
  address: string
  framers: readonly string[]
  script: AssetName
  colour: string | null
}

function partsOf(config: Config, page?: PaymentPage): ExpectedFiles {
  const loadable = (asset: Asset) => loadedFile(config, asset)
  const { script, colour } = page ?? {}
  const isPage = script === 'page.js'
  const addresses = allAssets().map((asset) => loadable(asset).address)
  const inlineStyles = [...(isPage ? [pageStyle(config)] : []), ...(colour ? [colourStyle(colour)] : [])]
  return {
    scripts: script ? [loadable(assetByName(script))] : [],
    styles: isPage ? [] : [loadable(assetByName('simple.css'))],
    inlineStyles: inlineStyles.map(({ source }) => source),
    isPicture: (address) => addresses.includes(address) || isTileAddress(config, address),
    scriptAddresses: {
      'data-page': page ? [new URL(page.address).pathname] : [],
      'data-list': addresses.filter((address) => address.endsWith('.json')),
      'data-framers': page ? [page.framers.join(' ')] : [],
    },
  }
}

/** Headers that change a browser's behaviour and that our responses never have. */
const neverSent = [
  ...['set-cookie', 'access-control-allow-origin', 'link', 'refresh', 'sourcemap', 'service-worker-allowed'],
  ...['content-security-policy-report-only', 'cross-origin-embedder-policy', 'x-sourcemap', 'origin-trial'],
  ...['speculation-rules', 'clear-site-data'],
]

function differencesInHead(
  { status, headers }: HttpResponse,
  expectedStatus: number,
  expected: Readonly<Record<string, string | undefined>>,
): PageDifference[] {
  const wrong = Object.entries({
    ...Object.fromEntries(neverSent.map((name) => [name, undefined])),
    ...expected,
  })
    .map(([what, value]) => ({ what, expected: value ?? 'none', received: headers.get(what) ?? 'none' }))
    .filter((each) => each.expected !== each.received)
  if (status === expectedStatus) return wrong
  return [{ what: 'status', expected: String(expectedStatus), received: String(status) }, ...wrong]
}

function bytesDiffer(expected: Buffer, received: Buffer): PageDifference[] {
  const shown = (bytes: Buffer) => `sha384-${hash('sha384', bytes, 'base64')} (${bytes.length} bytes)`
  return [{ what: 'contents', expected: shown(expected), received: shown(received) }]
}

const timeoutMs = 15_000
const longestReceived = 2_000

function fetched(
  { http }: VerificationTarget,
  url: string,
  accept: string,
  encoding = 'gzip, br',
): Promise<HttpResponse> {
  const headers = {
    accept,
    'accept-encoding': encoding,
    'accept-language': 'en',
    'user-agent': 'Mozilla/5.0',
  }
  return http.send({ method: 'GET', url, headers, timeoutMs })
}

function bytesOf({ headers, body }: HttpResponse): Buffer {
  const limit = { maxOutputLength: 4 * 1024 * 1024 }
  switch (headers.get('content-encoding') ?? 'identity') {
    case 'identity':
      return body
    case 'br':
      return brotliDecompressSync(body, limit)
    case 'gzip':
      return gunzipSync(body, limit)
    default:
      // A browser may support this encoding and read other contents.
      throw new Error('the content-encoding was not requested')
  }
}

const bodyOf = (answer: HttpResponse) => bytesOf(answer).toString('utf8')

/** A part that cannot be fetched or read counts as a difference. */
async function verify(
  what: string,
  look: (differ: (more: PageDifference[]) => void) => Promise<void>,
): Promise<PageVerificationItem> {
  const differences = new Map<string, PageDifference>()
  try {
    await look((more) => {
      for (const each of more) {
        const difference = { ...each, received: printable(each.received, longestReceived) }
        differences.set(JSON.stringify(difference), difference)
      }
    })
  } catch (error) {
    const received = error instanceof NoHttpResponse ? error.message : 'an unreadable response'
    differences.set('', { what: 'answer', expected: 'a readable response', received })
  }
  return { what, differences: [...differences.values()] }
}

function linesOf(all: readonly PageVerificationItem[]): string[] {
  return all.flatMap(({ what, differences, note }) => [
    `${differences.length === 0 ? 'as released' : 'DIFFERS    '}  ${what}${note ? ` (${printable(note)})` : ''}`,
    ...differences.flatMap((each) => [
      `  ${each.what}`,
      `    expected ${each.expected}`,
      `    received ${each.received}`,
    ]),
  ])
}
