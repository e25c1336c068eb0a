import type { Config } from '../../config.ts'
import type { Merchant } from '../../merchants/index.ts'
import { pageBasePathOf } from '../files/assets.ts'

type PageConfig = Pick<Config, 'pageUrl'>

/** Whose web pages a page may stand in. */
export type FramingMerchant = Pick<Merchant, 'live' | 'origins'>

const nothing = "default-src 'none'; base-uri 'none'"
const noScriptOfText = "require-trusted-types-for 'script'; trusted-types 'none'"

/**
 * The page on which the card is typed: everything on it is ours, it posts no form, nobody but its merchant may frame it,
 * and no text becomes a script. Where its merchant does, the bank's own page is in a frame below it and leads back there.
 */
export function pagePolicy(merchant: FramingMerchant): string {
  const framers = allowedFramers(merchant)
  return [
    nothing,
    "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'",
    `form-action 'none'; ${ancestors(framers.length > 0 ? ["'self'", ...framers] : [])}; ${noScriptOfText}`,
  ].join('; ')
}

/** A page with words alone. */
export const defaultContentSecurityPolicy = `${nothing}; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'`

/**
 * The frame between our page and the bank's: where banks' pages are nobody can list, so it may frame and post to any,
 * and for that it never holds a card. Browsers ask of everybody above a frame, so who may frame the page is above it too.
 */
export function threeDsBridgePolicy({ pageUrl }: PageConfig, merchant: FramingMerchant): string {
  const anyone = pageUrl.startsWith('https:') ? 'https:' : 'http: https:'
  return [
    nothing,
    "script-src 'self'; style-src 'self'; connect-src 'self'",
    `frame-src ${anyone}; form-action ${anyone}`,
    `${ancestors(["'self'", ...allowedFramers(merchant)])}; ${noScriptOfText}`,
  ].join('; ')
}

/** The empty frame from which a card is posted to one bank and to nobody else. It runs nothing. */
export function cardPostingFramePolicy(formHost: string, merchant: FramingMerchant): string {
  return `${nothing}; form-action ${formHost}; ${ancestors(["'self'", ...allowedFramers(merchant)])}`
}

/** What a bank's page leads back to inside its frame. Who is above it cannot be known: it holds nothing. */
export const bankReturnNoticePolicy = `${nothing}; script-src 'self'; form-action 'none'; ${noScriptOfText}`

function ancestors(who: readonly string[]): string {
  return `frame-ancestors ${who.length > 0 ? who.join(' ') : "'none'"}`
}

/** A host as CSP can write it: nothing in it ends a source, a directive or a header. */
const plainOrigin = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/

/**
 * The merchant's registered web origins, which may show its pages in a frame; real cards by https alone. They were checked
 * when they were registered. Guarantee: whatever stands in the database, nothing but origins gets into a header.
 */
export function allowedFramers({ live, origins }: FramingMerchant): string[] {
  return origins.filter((origin) => plainOrigin.test(origin) && (!live || origin.startsWith('https:')))
}

/** Where browsers tell of what a policy has kept from happening, and the name of that place in the headers. */
export const reportsUrl = '/reports'
const reports = 'reports'

/** Off in our pages and in every frame in them, but for what banks prove their customers with. */
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
/** Banks' frames have them by their `allow` alone, and the only page that frames banks is the bridge. */
const delegated = ['payment=*', 'publickey-credentials-get=*']

/** What every answer of the page's origin says, and what holds where a page says nothing of its own: nothing runs. */
export function pageOriginHeaders(config: PageConfig): Record<string, string> {
  const isSecure = config.pageUrl.startsWith('https:')
  return {
    'cache-control': 'no-store',
    'content-security-policy': reported(config, defaultContentSecurityPolicy),
    // Whoever opened the page from elsewhere has no hold on it, nor may anybody else load what is here.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': [...permissions, ...delegated].join(', '),
    // Some banks refuse a form that does not say where it comes from; none of them needs the whole address.
    'referrer-policy': 'strict-origin-when-cross-origin',
    'reporting-endpoints': `${reports}="${reportsAddress(config)}"`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/** The headers of a page with a policy of its own. An undefined one is not sent. */
export function policyHeaders(config: PageConfig, policy: string): Record<string, string | undefined> {
  return {
    'content-security-policy': reported(config, policy),
    // Scripts are run with the hash that the page names, or not at all, by browsers that know how.
    'integrity-policy': policy.includes('script-src')
      ? `blocked-destinations=(script), endpoints=(${reports})`
      : undefined,
    // It knows no list of who may frame; where both are sent the policy counts, but not in every browser.
    'x-frame-options': policy.includes("frame-ancestors 'none'") ? 'DENY' : undefined,
  }
}

function reported(config: PageConfig, policy: string): string {
  return `${policy}; report-uri ${reportsAddress(config)}; report-to ${reports}`
}

function reportsAddress(config: PageConfig): string {
  // A semicolon or a comma in the path of a proxy would end the directive, or the policy.
  return `${pageBasePathOf(config)}${reportsUrl}`.replaceAll(/[;,]/g, encodeURIComponent)
}
