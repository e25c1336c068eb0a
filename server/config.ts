import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

/** All settings, checked and frozen. Created once; no other code reads the environment. */
export interface Config {
  /**
   * Folder of the installation's files: its secret, the embedded database, `demo.env` and `demo-shop.json`.
   */
  home: string
  /** Undefined: the embedded PostgreSQL is used. */
  databaseUrl: string | undefined
  databasePoolSize: number
  /** Longest wait at the start for a database that does not accept connections yet. 0: no wait. */
  databaseWaitSeconds: number
  /** Undefined: generated in `home` at the first start. */
  secret: string | undefined
  secretPrevious: string | undefined
  apiPort: number
  pagePort: number
  sandboxPort: number
  metricsPort: number
  /** Port of the demo shop, which runs only with the demo merchant. */
  demoPort: number
  /** Public address of the API. */
  apiUrl: string
  pageUrl: string
  /** Address at which we reach the sandbox bank. */
  sandboxUrl: string
  /** Undefined: loopback, IPv4 and IPv6. */
  host: string | undefined
  metricsHost: string | undefined
  sandboxHost: string | undefined
  /** Addresses and ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  trustedProxies: readonly string[]
  /** Requests per second and key, and the allowed burst. 0 disables the limit. */
  rateLimitPerSecond: number
  rateLimitBurst: number
  /** Requests per second to payment pages from one address, and the allowed burst. 0 disables the limit. */
  pageRateLimitPerSecond: number
  pageRateLimitBurst: number
  failedCredentialsPerMinute: number
  /** Longest time until a request gets its response. */
  requestDeadlineSeconds: number
  /** Time limit for a bank's response. */
  bankTimeoutSeconds: number
  /** Age of a charge with an unknown outcome at each inquiry. After the last one it is reversed. */
  inquireAfterSeconds: readonly number[]
  /**
   * Waits between attempts to reverse a charge. After the last one it goes to manual review, and attempts
   * continue.
   */
  reverseAgainAfterSeconds: readonly number[]
  /** Maximum number of inquiries per second to a POS that verify approvals, across all instances. */
  verificationsPerSecond: number
  /** 3-D Secure: time limits for the method, the directory server, the challenge, and the result after it. */
  methodSeconds: number
  directoryTimeoutSeconds: number
  challengeSeconds: number
  resultSeconds: number
  /** Days for which message traces are kept. */
  traceDays: number
  /** Days for which webhook deliveries are kept, with their responses. */
  deliveryDays: number
  /**
   * Payment attempts per hour of live merchants, from one address and with one card. 0 disables the limit.
   */
  attemptsPerAddress: number
  attemptsPerCard: number
  /** Maximum number of webhooks of a merchant. */
  webhooksPerMerchant: number
  /**
   * Merchants whose webhooks may use a loopback address: test merchants of the embedded database, or none.
   */
  loopbackWebhooks: 'test' | 'never'
  /** Largest allowed difference between the clocks of an instance and of the database. 0: not compared. */
  clockToleranceSeconds: number
  /** Seconds for which an instance keeps serving after SIGTERM, so that load balancers notice. */
  drainSeconds: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  logFormat: 'json' | 'pretty'
  version: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** All faults of the settings in one message, so that one start reports all of them. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Some settings are wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const root = join(import.meta.dirname, '..')

const longestPageUrl = 120

/**
 * Former setting names and the new names. A former name is refused with the new one instead of being ignored.
 */
const renamedSettings: Readonly<Record<string, string>> = {
  BANK_PATIENCE_SECONDS: 'BANK_TIMEOUT_SECONDS',
  DIRECTORY_PATIENCE_SECONDS: 'DIRECTORY_TIMEOUT_SECONDS',
}

export function environment(): Environment {
  return process.env
}

export function readConfig(env: Environment, isTerminal = false): Config {
  const settings = new Settings(env)
  const apiPort = settings.port('API_PORT', 4242)
  const pagePort = settings.port('PAGE_PORT', 4243)
  const sandboxPort = settings.port('SANDBOX_PORT', 4245)
  const databaseUrl = settings.databaseUrl()
  const config: Config = {
    home: resolve(settings.text('VEZNE_HOME') ?? join(root, '.vezne')),
    databaseUrl,
    databasePoolSize: settings.integer('DATABASE_POOL_SIZE', 10, 2, 1000),
    databaseWaitSeconds: settings.integer('DATABASE_WAIT_SECONDS', 60, 0, 3600),
    secret: settings.secret('VEZNE_SECRET'),
    secretPrevious: settings.secret('VEZNE_SECRET_PREVIOUS'),
    apiPort,
    pagePort,
    sandboxPort,
    metricsPort: settings.port('METRICS_PORT', 4246),
    demoPort: settings.port('DEMO_PORT', 4247),
    apiUrl: settings.url('API_URL', `http://localhost:${apiPort}`),
    pageUrl: settings.pageUrl('PAGE_URL', `http://localhost:${pagePort}`),
    sandboxUrl: settings.url('SANDBOX_URL', `http://127.0.0.1:${sandboxPort}`),
    host: settings.host('HOST'),
    metricsHost: settings.host('METRICS_HOST'),
    sandboxHost: settings.host('SANDBOX_HOST'),
    trustedProxies: settings.addresses('TRUSTED_PROXIES'),
    rateLimitPerSecond: settings.integer('RATE_LIMIT_PER_SECOND', 100, 0, 1_000_000),
    rateLimitBurst: settings.integer('RATE_LIMIT_BURST', 200, 1, 1_000_000),
    pageRateLimitPerSecond: settings.integer('PAGE_RATE_LIMIT_PER_SECOND', 30, 0, 1_000_000),
    pageRateLimitBurst: settings.integer('PAGE_RATE_LIMIT_BURST', 150, 1, 1_000_000),
    failedCredentialsPerMinute: settings.integer('FAILED_CREDENTIALS_PER_MINUTE', 60, 1, 1_000_000),
    requestDeadlineSeconds: settings.integer('REQUEST_DEADLINE_SECONDS', 120, 60, 3600),
    bankTimeoutSeconds: settings.integer('BANK_TIMEOUT_SECONDS', 45, 1, 55),
    inquireAfterSeconds: settings.waits('INQUIRE_AFTER_SECONDS', [60, 300, 900, 3600]),
    reverseAgainAfterSeconds: settings.waits('REVERSE_AGAIN_AFTER_SECONDS', [60, 300, 900, 3600]),
    verificationsPerSecond: settings.integer('VERIFICATIONS_PER_SECOND', 1, 1, 100),
    methodSeconds: settings.integer('METHOD_SECONDS', 10, 1, 30),
    directoryTimeoutSeconds: settings.integer('DIRECTORY_TIMEOUT_SECONDS', 12, 1, 30),
    challengeSeconds: settings.integer('CHALLENGE_SECONDS', 600, 5, 1800),
    resultSeconds: settings.integer('RESULT_SECONDS', 60, 1, 600),
    traceDays: settings.integer('TRACE_DAYS', 90, 1, 3650),
    deliveryDays: settings.integer('DELIVERY_DAYS', 30, 1, 3650),
    attemptsPerAddress: settings.integer('ATTEMPTS_PER_ADDRESS', 30, 0, 1_000_000),
    attemptsPerCard: settings.integer('ATTEMPTS_PER_CARD', 10, 0, 1_000_000),
    webhooksPerMerchant: settings.integer('WEBHOOKS_PER_MERCHANT', 20, 1, 10_000),
    loopbackWebhooks: settings.choice('LOOPBACK_WEBHOOKS', ['test', 'never'], 'test'),
    clockToleranceSeconds: settings.integer('CLOCK_TOLERANCE_SECONDS', 10, 0, 3600),
    drainSeconds: settings.integer('DRAIN_SECONDS', 5, 0, 3600),
    logLevel: settings.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    logFormat: settings.choice('LOG_FORMAT', ['json', 'pretty'], isTerminal ? 'pretty' : 'json'),
    version: programVersion(),
  }
  if (databaseUrl !== undefined && config.secret === undefined) {
    settings.problem('VEZNE_SECRET', 'is required with DATABASE_URL, and must be the same on every instance')
  }
  settings.refuseDoubledPorts(
    ['API_PORT', 'PAGE_PORT', 'SANDBOX_PORT', 'METRICS_PORT', 'DEMO_PORT'],
    [apiPort, pagePort, sandboxPort, config.metricsPort, config.demoPort],
  )
  settings.refuseRenamed(renamedSettings)
  settings.refuseUnknown()
  if (settings.problems.length > 0) throw new WrongSettings(settings.problems)
  return Object.freeze(config)
}

/** Reads settings one by one and collects their faults. An empty setting counts as not set. */
class Settings {
  readonly problems: string[] = []
  readonly #env: Environment
  readonly #knownNames = new Set<string>()

  constructor(env: Environment) {
    this.#env = env
  }

  problem(name: string, sentence: string): void {
    this.problems.push(`${name} ${sentence}`)
  }

  text(name: string): string | undefined {
    this.#knownNames.add(name)
    return this.#env[name]?.trim() || undefined
  }

  integer(name: string, defaultValue: number, min: number, max: number): number {
    const value = this.text(name)
    if (value === undefined) return defaultValue
    const number = Number(value)
    if (/^\d{1,9}$/.test(value) && number >= min && number <= max) return number
    this.problem(name, `must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`)
    return defaultValue
  }

  /** Increasing seconds, the first at least 60: the bank timeout can be nearly that long. */
  waits(name: string, defaultValue: readonly number[]): readonly number[] {
    const value = this.text(name)
    if (value === undefined) return defaultValue
    const waits = value.split(',').map((part) => (/^\s*\d{1,6}\s*$/.test(part) ? Number(part) : Number.NaN))
    const areWaits = waits.every(
      (wait, index) => wait >= 60 && (index === 0 || wait > (waits[index - 1] ?? 0)),
    )
    if (areWaits) return waits
    this.problem(
      name,
      `must be increasing numbers of seconds, each at least 60, for example 60,300,900, not ${JSON.stringify(value)}`,
    )
    return defaultValue
  }

  port(name: string, defaultValue: number): number {
    return this.integer(name, defaultValue, 1, 65_535)
  }

  choice<const Value extends string>(
    name: string,
    values: readonly Value[],
    defaultValue: NoInfer<Value>,
  ): Value {
    const value = this.text(name)
    if (value === undefined) return defaultValue
    const known = values.find((candidate) => candidate === value)
    if (known === undefined) {
      this.problem(name, `must be one of ${values.join(', ')}, not ${JSON.stringify(value)}`)
    }
    return known ?? defaultValue
  }

  url(name: string, defaultValue: string): string {
    const value = this.text(name)
    if (value === undefined) return defaultValue
    const url = URL.parse(value)
    const plain =
      url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.search && !url.hash
    if (!plain) {
      this.problem(
        name,
        `must be an http or https address without a user name, a query and a fragment, not ${JSON.stringify(value)}`,
      )
    }
    return value.replace(/\/+$/, '')
  }

  /** Directory servers accept an address of 256 characters, and our paths need half of it. */
  pageUrl(name: string, defaultValue: string): string {
    const value = this.url(name, defaultValue)
    if (value.length > longestPageUrl) this.problem(name, `must have at most ${longestPageUrl} characters`)
    return value
  }

  /** A secret is never repeated in a message. */
  secret(name: string): string | undefined {
    const value = this.text(name)
    if (value !== undefined && value.length < 32) {
      this.problem(name, 'must be at least 32 characters long; to create one: openssl rand -base64 33')
    }
    return value
  }

  /** The address may contain a password, so it is not repeated in a message. */
  databaseUrl(): string | undefined {
    const value = this.text('DATABASE_URL')
    if (value === undefined) return undefined
    if (!['postgres:', 'postgresql:'].includes(URL.parse(value)?.protocol ?? '')) {
      this.problem('DATABASE_URL', 'must look like postgres://user:password@host:5432/database')
    }
    return value
  }

  host(name: string): string | undefined {
    const value = this.text(name)
    if (value !== undefined && !/^[\w.:-]+$/.test(value)) {
      this.problem(name, `must be an address or a host name, not ${JSON.stringify(value)}`)
    }
    return value
  }

  addresses(name: string): string[] {
    const values = (this.text(name) ?? '').split(',').map((part) => part.trim())
    const given = values.filter((part) => part !== '')
    for (const part of given.filter((candidate) => !isAddressOrRange(candidate))) {
      this.problem(
        name,
        `contains ${JSON.stringify(part)}, which is neither an address nor a range like 10.0.0.0/8`,
      )
    }
    return given
  }

  refuseDoubledPorts(names: string[], ports: number[]): void {
    for (const [index, name] of names.entries()) {
      const first = ports.indexOf(ports[index] ?? 0)
      if (first < index) this.problem(name, `is ${ports[index]}, the same port as ${names[first]}`)
    }
  }

  refuseRenamed(renamed: Readonly<Record<string, string>>): void {
    for (const [name, newName] of Object.entries(renamed)) {
      if (this.text(name) !== undefined) this.problem(name, `is now called ${newName}`)
    }
  }

  /** Without this check a misspelt setting would be ignored. */
  refuseUnknown(): void {
    for (const name of Object.keys(this.#env)) {
      if (name.startsWith('VEZNE_') && !this.#knownNames.has(name))
        this.problem(name, 'is not a setting of Vezne')
    }
  }
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function programVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return version
}
