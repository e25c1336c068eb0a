import type { FastifyInstance } from 'fastify'
import { clientNetworkOf } from '../../../kit/http/client-network.ts'
import { RateLimiter } from '../../../kit/http/rate-limiter.ts'
import { clientAddressOf } from '../../../kit/http/web-app.ts'
import { redact } from '../../../kit/security/redaction.ts'
import type { Services } from '../../services.ts'
import { pageBasePathOf } from '../files/assets.ts'
import { reportsUrl } from './content-security-policy.ts'

type Needs = Pick<Services, 'config' | 'clock' | 'log' | 'metrics'>

/** Blocked action, described with known names only. */
export interface PolicyReport {
  policy: 'csp' | 'integrity' | 'permissions' | 'other'
  directive: string
  /** Blocked origin or keyword. */
  blocked: string
  /** Route pattern of the page. */
  route: string
}

const longestBody = 16 * 1024
const maxEntries = 20

/** Limits of the reports per sender and of all log lines. Reports above a limit are dropped. */
const perSender = { burst: 20, perSecond: 1 }
const ofAll = { burst: 10, perSecond: 10 / 60 }
/** Interval after which all reports can be logged again. The limit of log lines bounds their number. */
const logAgainAfterMs = 3_600_000

/** Known directives. Anyone can send a report, and each directive is a series of the metric. */
const directives = new Set([
  ...['default-src', 'base-uri', 'script-src', 'script-src-elem', 'script-src-attr', 'style-src', 'img-src'],
  ...['style-src-elem', 'style-src-attr', 'font-src', 'connect-src', 'frame-src', 'child-src', 'worker-src'],
  ...['manifest-src', 'media-src', 'object-src', 'form-action', 'frame-ancestors', 'trusted-types'],
  ...['require-trusted-types-for', 'script', 'style', 'payment', 'publickey-credentials-get'],
])

const keywords = new Set([
  ...['inline', 'eval', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink', 'self', 'data', 'blob'],
  ...['about', 'filesystem'],
])

/**
 * Receives browsers' reports about our policies. Anyone can send them. Guarantee: any number of reports costs
 * little; they are counted under known names; the log gets a few lines a minute, without page addresses, card
 * numbers or queries.
 */
export function mountPolicyReports(app: FastifyInstance, services: Needs, patterns: readonly string[]): void {
  const record = policyReportRecorder(services)
  const senders = new RateLimiter(perSender, services.clock)
  app.post(reportsUrl, { bodyLimit: longestBody }, (request, reply) => {
    request.pattern = reportsUrl
    const isWithinLimit = senders.take(clientNetworkOf(clientAddressOf(request))) === 0
    if (isWithinLimit && Buffer.isBuffer(request.body)) {
      const root = pageBasePathOf(services.config)
      const reports = readReports(request.body, (path) => patternOf(path, root, patterns))
      for (const report of reports) record(report)
    }
    return reply.code(204).send()
  })
}

function policyReportRecorder({ metrics, clock, log }: Needs): (report: PolicyReport) => void {
  const counter = metrics.counter(
    'vezne_policy_reports_total',
    'Policy violations on payment pages that browsers reported.',
    ['policy', 'directive'],
  )
  const lines = new RateLimiter(ofAll, clock)
  const logged = new Set<string>()
  let loggedSinceMs = 0
  return (report) => {
    const { policy, directive } = report
    counter.inc({ policy, directive })
    const nowMs = clock.monotonicMs()
    if (nowMs - loggedSinceMs > logAgainAfterMs) {
      logged.clear()
      loggedSinceMs = nowMs
    }
    const kind = JSON.stringify(report)
    if (logged.has(kind) || lines.take('all') > 0) return
    logged.add(kind)
    log.warn(report, 'a browser reported a policy violation')
  }
}

/** Reports in a body, in either format of browsers; empty if the body is unreadable. */
function readReports(body: Buffer, routeOf: (path: string) => string): PolicyReport[] {
  let sent: unknown
  try {
    sent = JSON.parse(body.toString('utf8'))
  } catch {
    return []
  }
  const entries = Array.isArray(sent) ? sent.slice(0, maxEntries) : [sent]
  return entries.filter(isRecord).map((entry) => reportOf(entry, routeOf))
}

function reportOf(entry: Record<string, unknown>, routeOf: (path: string) => string): PolicyReport {
  const old = entry['csp-report']
  const isOld = isRecord(old)
  const inside = isOld ? old : isRecord(entry['body']) ? entry['body'] : {}
  const field = (...names: string[]) => names.map((name) => inside[name]).find((value) => value !== undefined)
  const directive = field('effectiveDirective', 'effective-directive', 'violated-directive', 'destination')
  const page = field('documentURL', 'document-uri') ?? entry['url']
  return {
    policy: isOld ? 'csp' : (policies.get(entry['type']) ?? 'other'),
    directive: knownOf(
      directives,
      (textOf(directive ?? field('policyId')).split(' ')[0] ?? '').toLowerCase(),
    ),
    blocked: blockedOf(textOf(field('blockedURL', 'blocked-uri'))),
    route: routeOf(URL.parse(textOf(page))?.pathname ?? ''),
  }
}

const policies = new Map<unknown, PolicyReport['policy']>([
  ['csp-violation', 'csp'],
  ['integrity-violation', 'integrity'],
  ['permissions-policy-violation', 'permissions'],
])

const longestOrigin = 120

/** Origin of a blocked address. Its path is dropped, because it can hold anything. */
function blockedOf(text: string): string {
  if (keywords.has(text)) return text
  const url = URL.parse(text)
  if (!url) return 'other'
  const scheme = url.protocol.slice(0, -1)
  if (!['http', 'https', 'ws', 'wss'].includes(scheme)) return knownOf(keywords, scheme)
  const { origin } = url
  return origin.length > longestOrigin || redact(origin) !== origin ? 'other' : origin
}

function patternOf(path: string, root: string, patterns: readonly string[]): string {
  if (!path.startsWith(`${root}/`)) return 'other'
  const parts = path.slice(root.length).split('/')
  const matches = (pattern: string) => {
    const patternParts = pattern.split('/')
    return (
      patternParts.length === parts.length &&
      patternParts.every((part, index) => part.startsWith(':') || part === parts[index])
    )
  }
  return patterns.find(matches) ?? 'other'
}

function knownOf(known: ReadonlySet<string>, text: string): string {
  return known.has(text) ? text : 'other'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
