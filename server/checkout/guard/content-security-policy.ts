import type { Config } from '../../config.ts'
import type { Merchant } from '../../merchants/index.ts'
import { pageBasePathOf } from '../files/assets.ts'
import { colourStyle, pageStyle } from '../files/styles.ts'

type PageConfig = Pick<Config, 'pageUrl'>

/** Merchant whose web pages may frame our pages. */
export type FramingMerchant = Pick<Merchant, 'live' | 'origins'>
/** Merchant whose colour our pages have. */
export type PageMerchant = FramingMerchant & Pick<Merchant, 'colour'>

const nothing = "default-src 'none'; base-uri 'none'"
const noScriptOfText = "require-trusted-types-for 'script'; trusted-types 'none'"

/**
 * Policy of the page with the card form: it loads only our files, applies only the styles inside it, posts no form, can
 * only be framed by its merchant, and turns no text into a script. If a merchant frames it, 'self' is allowed too: the bank's page
 * is in a frame below it and can return there.
 */
export function pagePolicy(config: PageConfig, merchant: PageMerchant): string {
  const framers = allowedFramers(merchant)
  return [
    nothing,
    `script-src 'self'; style-src ${[pageStyle(config).source, ...colourSource(merchant)].join(' ')}`,
    "img-src 'self'; connect-src 'self'; frame-src 'self'",
    `form-action 'none'; ${ancestors(framers.length > 0 ? ["'self'", ...framers] : [])}; ${noScriptOfText}`,
  ].join('; ')
}

/** Policy of a page that only shows text. */
export const defaultContentSecurityPolicy = `${nothing}; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'`

/** Policy of a file with one stylesheet inside, of which this is the source. */
export function savedFilePolicy(styleSource: string): string {
  return `${nothing}; style-src ${styleSource}; form-action 'none'; frame-ancestors 'none'`
}

/**
 * Policy of the frame between our page and the bank's. The addresses of banks' pages cannot be listed, so it
 * may frame and post to any; therefore it never holds a card. Browsers check all ancestors of a frame, so the
 * origins that may frame the page are listed too.
 */
export function threeDsBridgePolicy({ pageUrl }: PageConfig, merchant: PageMerchant): string {
  const anyone = pageUrl.startsWith('https:') ? 'https:' : 'http: https:'
  return [
    nothing,
    `script-src 'self'; style-src ${["'self'", ...colourSource(merchant)].join(' ')}; connect-src 'self'`,
    `frame-src ${anyone}; form-action ${anyone}`,
    `${ancestors(["'self'", ...allowedFramers(merchant)])}; ${noScriptOfText}`,
  ].join('; ')
}

/** Policy of the empty frame that posts a card to one bank only. It runs no script. */
export function cardPostingFramePolicy(formHost: string, merchant: FramingMerchant): string {
  return `${nothing}; form-action ${formHost}; ${ancestors(["'self'", ...allowedFramers(merchant)])}`
}

/** Policy of the page that a bank's page returns to in a frame. Its parent is unknown: it holds no data. */
export const bankReturnNoticePolicy = `${nothing}; script-src 'self'; form-action 'none'; ${noScriptOfText}`

function colourSource({ colour }: PageMerchant): string[] {
  return colour === null ? [] : [colourStyle(colour).source]
}

function ancestors(who: readonly string[]): string {
  return `frame-ancestors ${who.length > 0 ? who.join(' ') : "'none'"}`
}

/** Origin that is safe in CSP: it cannot end a source, a directive or a header. */
const plainOrigin = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

/**
 * Registered origins of a merchant that may frame its pages; https only for live merchants. Guarantee: only
 * valid origins get into a header, whatever the database holds.
 */
export function allowedFramers({ live, origins }: FramingMerchant): string[] {
  return origins.filter((origin) => plainOrigin.test(origin) && (!live || origin.startsWith('https:')))
}

/** Address for browsers' violation reports, and its name in the headers. */
export const reportsUrl = '/reports'
const reports = 'reports'

/** Features turned off in our pages and all their frames, except those that banks need for authentication. */
const permissions = [
  ...[
    'accelerometer',
    'autoplay',
    'camera',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'geolocation',
  ],
  ...['gyroscope', 'hid', 'magnetometer', 'microphone', 'midi', 'picture-in-picture', 'screen-wake-lock'],
  ...['serial', 'usb', 'xr-spatial-tracking'],
].map((feature) => `${feature}=()`)
/** Allowed in a bank's frame only by its `allow` attribute. Only the bridge frames banks. */
const delegated = ['payment=*', 'publickey-credentials-get=*']

/** Headers of every response of the page origin. By default no script runs. */
export function pageOriginHeaders(config: PageConfig): Record<string, string> {
  const isSecure = config.pageUrl.startsWith('https:')
  return {
    'cache-control': 'no-store',
    'content-security-policy': reported(config, defaultContentSecurityPolicy),
    // Isolates the page from its opener, and keeps other sites from loading our files.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': [...permissions, ...delegated].join(', '),
    // Some banks refuse a form without a referrer; none of them needs the full address.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'reporting-endpoints': `${reports}="${reportsAddress(config)}"`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/** Headers of a page with its own policy. An undefined header is not sent. */
export function policyHeaders(config: PageConfig, policy: string): Record<string, string | undefined> {
  return {
    'content-security-policy': reported(config, policy),
    // Browsers that support it run only scripts with the integrity hash in the page.
    'integrity-policy': policy.includes('script-src')
      ? `blocked-destinations=(script), endpoints=(${reports})`
      : undefined,
    // X-Frame-Options has no list of origins, and some browsers prefer it to the policy.
    'x-frame-options': policy.includes("frame-ancestors 'none'") ? 'DENY' : undefined,
  }
}

function reported(config: PageConfig, policy: string): string {
  return `${policy}; report-uri ${reportsAddress(config)}; report-to ${reports}`
}

function reportsAddress(config: PageConfig): string {
  // A semicolon or a comma in a proxy's path would end the directive or the policy.
  return `${pageBasePathOf(config)}${reportsUrl}`.replaceAll(/[;,]/g, encodeURIComponent)
}
