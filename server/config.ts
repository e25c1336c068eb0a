import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

/** All settings, checked and frozen. Created once; no other code reads the environment. */
export type Config = Readonly<ReturnType<typeof readSettings>>

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
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const longestPageUrl = 120

/** Former setting names and the new ones, which the refusal of a former name gives. */
const renamedSettings: Readonly<Record<string, string>> = {
  BANK_PATIENCE_SECONDS: 'BANK_TIMEOUT_SECONDS',
  DIRECTORY_PATIENCE_SECONDS: 'DIRECTORY_TIMEOUT_SECONDS',
}

export function environment(): Environment {
  return process.env
}

export function readConfig(env: Environment, isTerminal = false): Config {
  const settings = new Settings(env)
  const config = readSettings(settings, isTerminal)
  if (settings.text('DATABASE_URL') && !settings.text('VEZNE_SECRET'))
    settings.problem('VEZNE_SECRET', 'is required with DATABASE_URL, and must be the same on every instance')
  settings.refuseDoubledPorts()
  settings.refuseRenamed()
  settings.refuseUnknown()
  if (settings.problems.length > 0) throw new WrongSettings(settings.problems)
  return Object.freeze(config)
}

function readSettings(settings: Settings, isTerminal: boolean) {
  return {
    ...readAddresses(settings),
    /** Folder of the installation: its secret, the embedded database, `demo.env` and `demo-shop.json`. */
    home: resolve(settings.text('VEZNE_HOME') ?? join(root, '.vezne')),
    /** Undefined: the embedded PostgreSQL is used. */
    databaseUrl: settings.databaseUrl('DATABASE_URL'),
    databasePoolSize: settings.integer('DATABASE_POOL_SIZE', 10, 2, 1000),
    /** Longest wait at the start for a database that does not accept connections yet. 0: no wait. */
    databaseWaitSeconds: settings.integer('DATABASE_WAIT_SECONDS', 60, 0, 3600),
    /** Undefined: generated in `home` at the first start. */
    secret: settings.secret('VEZNE_SECRET'),
    secretPrevious: settings.secret('VEZNE_SECRET_PREVIOUS'),
    ...readLimits(settings),
    ...readBankTimes(settings),
    /** Largest allowed difference between the clocks of an instance and of the database. 0: not compared. */
    clockToleranceSeconds: settings.integer('CLOCK_TOLERANCE_SECONDS', 10, 0, 3600),
    /** Seconds for which an instance keeps serving after SIGTERM, so that load balancers notice. */
    drainSeconds: settings.integer('DRAIN_SECONDS', 5, 0, 3600),
    /** Days for which message traces are kept. */
    traceDays: settings.integer('TRACE_DAYS', 90, 1, 3650),
    /** Days for which webhook deliveries are kept, with their responses. */
    deliveryDays: settings.integer('DELIVERY_DAYS', 30, 1, 3650),
    logLevel: settings.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    logFormat: settings.choice('LOG_FORMAT', ['json', 'pretty'], isTerminal ? 'pretty' : 'json'),
    version,
  }
}

function readAddresses(settings: Settings) {
  const apiPort = settings.port('API_PORT', 4242)
  const pagePort = settings.port('PAGE_PORT', 4243)
  const sandboxPort = settings.port('SANDBOX_PORT', 4245)
  return {
    apiPort,
    pagePort,
    sandboxPort,
    metricsPort: settings.port('METRICS_PORT', 4246),
    /** Port of the demo shop, which runs only with the demo merchant. */
    demoPort: settings.port('DEMO_PORT', 4247),
    /** Public address of the API. */
    apiUrl: settings.url('API_URL', `http://localhost:${apiPort}`),
    pageUrl: settings.pageUrl('PAGE_URL', `http://localhost:${pagePort}`),
    /** Address at which we reach the sandbox bank. */
    sandboxUrl: settings.url('SANDBOX_URL', `http://127.0.0.1:${sandboxPort}`),
    /** Undefined: loopback, IPv4 and IPv6. */
    host: settings.host('HOST'),
    metricsHost: settings.host('METRICS_HOST'),
    sandboxHost: settings.host('SANDBOX_HOST'),
    /** Addresses and ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
    trustedProxies: settings.addresses('TRUSTED_PROXIES'),
  }
}

function readLimits(settings: Settings) {
  return {
    /** Requests per second and key, and the allowed burst. 0 disables the limit. */
    rateLimitPerSecond: settings.integer('RATE_LIMIT_PER_SECOND', 100, 0, 1_000_000),
    rateLimitBurst: settings.integer('RATE_LIMIT_BURST', 200, 1, 1_000_000),
    /** Requests per second to payment pages from one address, and the allowed burst. 0 disables the limit. */
    pageRateLimitPerSecond: settings.integer('PAGE_RATE_LIMIT_PER_SECOND', 30, 0, 1_000_000),
    pageRateLimitBurst: settings.integer('PAGE_RATE_LIMIT_BURST', 150, 1, 1_000_000),
    failedCredentialsPerMinute: settings.integer('FAILED_CREDENTIALS_PER_MINUTE', 60, 1, 1_000_000),
    /** Longest time until a request gets its response. */
    requestDeadlineSeconds: settings.integer('REQUEST_DEADLINE_SECONDS', 120, 60, 3600),
    /** Payment attempts per hour of live merchants, from an address and with a card. 0 disables the limit. */
    attemptsPerAddress: settings.integer('ATTEMPTS_PER_ADDRESS', 30, 0, 1_000_000),
    attemptsPerCard: settings.integer('ATTEMPTS_PER_CARD', 10, 0, 1_000_000),
    webhooksPerMerchant: settings.integer('WEBHOOKS_PER_MERCHANT', 20, 1, 10_000),
    /** Merchants whose webhooks may use a loopback address: test merchants of the embedded database, or none. */
    loopbackWebhooks: settings.choice('LOOPBACK_WEBHOOKS', ['test', 'never'], 'test'),
  }
}

function readBankTimes(settings: Settings) {
  return {
    /** Time limit for a bank's response. */
    bankTimeoutSeconds: settings.integer('BANK_TIMEOUT_SECONDS', 45, 1, 55),
    /** Age of a charge with an unknown outcome at each inquiry. After the last one it is reversed. */
    inquireAfterSeconds: settings.waits('INQUIRE_AFTER_SECONDS', [60, 300, 900, 3600]),
    /**
     * Waits between requests to reverse, capture, release or refund. After the last wait the work needs manual
     * review, and the requests continue.
     */
    reverseAgainAfterSeconds: settings.waits('REVERSE_AGAIN_AFTER_SECONDS', [60, 300, 900, 3600]),
    /** Maximum number of inquiries per second to a POS that verify approvals, across all instances. */
    verificationsPerSecond: settings.integer('VERIFICATIONS_PER_SECOND', 1, 1, 100),
    /** 3-D Secure: time limits for the method, the directory server, the challenge, and its result. */
    methodSeconds: settings.integer('METHOD_SECONDS', 10, 1, 30),
    directoryTimeoutSeconds: settings.integer('DIRECTORY_TIMEOUT_SECONDS', 12, 1, 30),
    challengeSeconds: settings.integer('CHALLENGE_SECONDS', 600, 5, 1800),
    resultSeconds: settings.integer('RESULT_SECONDS', 60, 1, 600),
  }
}

/** Reads settings one by one and collects their faults. An empty setting counts as not set. */
class Settings {
  readonly problems: string[] = []
  readonly #env: Environment
  readonly #knownNames = new Set<string>()
  readonly #ports = new Map<string, number>()

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

  /** The parsed value; a value that cannot be parsed is a problem, and repeated in it. */
  #parsed<Value>(
    name: string,
    parse: (text: string) => Value | undefined,
    must: string,
    isRepeated = true,
  ): Value | undefined {
    const text = this.text(name)
    const value = text === undefined ? undefined : parse(text)
    if (text !== undefined && value === undefined)
      this.problem(name, `must ${must}${isRepeated ? `, not ${JSON.stringify(text)}` : ''}`)
    return value
  }

  integer(name: string, defaultValue: number, min: number, max: number): number {
    const parse = (text: string) => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return number >= min && number <= max ? number : undefined
    }
    return this.#parsed(name, parse, `be a whole number from ${min} to ${max}`) ?? defaultValue
  }

  /** Increasing seconds, the first at least 60: the bank timeout can be nearly that long. */
  waits(name: string, defaultValue: readonly number[]): readonly number[] {
    const parse = (text: string) => {
      const waits = text.split(',').map((part) => (/^\s*\d{1,6}\s*$/.test(part) ? Number(part) : Number.NaN))
      return waits.every((wait, index) => wait >= 60 && wait > (waits[index - 1] ?? 0)) ? waits : undefined
    }
    const must = 'be increasing numbers of seconds, each at least 60, for example 60,300,900'
    return this.#parsed(name, parse, must) ?? defaultValue
  }

  port(name: string, defaultValue: number): number {
    const port = this.integer(name, defaultValue, 1, 65_535)
    this.#ports.set(name, port)
    return port
  }

  choice<const Value extends string>(
    name: string,
    values: readonly Value[],
    defaultValue: NoInfer<Value>,
  ): Value {
    const parse = (text: string) => values.find((value) => value === text)
    return this.#parsed(name, parse, `be one of ${values.join(', ')}`) ?? defaultValue
  }

  url(name: string, defaultValue: string): string {
    const parse = (text: string) => {
      const url = URL.parse(text)
      const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
      return isPlain ? text.replace(/\/+$/, '') : undefined
    }
    const must = 'be an http or https address without a user name, a query and a fragment'
    return this.#parsed(name, parse, must) ?? defaultValue
  }

  /** Directory servers accept an address of 256 characters, and our paths need half of it. */
  pageUrl(name: string, defaultValue: string): string {
    const value = this.url(name, defaultValue)
    if (value.length > longestPageUrl) this.problem(name, `must have at most ${longestPageUrl} characters`)
    return value
  }

  /** A secret is never repeated in a message. */
  secret(name: string): string | undefined {
    const must = 'be at least 32 characters long; to create one: openssl rand -base64 33'
    return this.#parsed(name, (text) => (text.length >= 32 ? text : undefined), must, false)
  }

  /** The address may contain a password, so it is not repeated in a message. */
  databaseUrl(name: string): string | undefined {
    const parse = (text: string) =>
      /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined
    return this.#parsed(name, parse, 'look like postgres://user:password@host:5432/database', false)
  }

  host(name: string): string | undefined {
    const parse = (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined)
    return this.#parsed(name, parse, 'be an address or a host name')
  }

  addresses(name: string): readonly string[] {
    const parts = (this.text(name) ?? '').split(',').map((part) => part.trim())
    const given = parts.filter((part) => part !== '')
    for (const part of given) {
      if (!isAddressOrRange(part))
        this.problem(
          name,
          `contains ${JSON.stringify(part)}, which is neither an address nor a range like 10.0.0.0/8`,
        )
    }
    return given
  }

  refuseDoubledPorts(): void {
    const ports = [...this.#ports]
    for (const [index, [name, port]] of ports.entries()) {
      const [first] = ports.slice(0, index).find(([, other]) => other === port) ?? []
      if (first) this.problem(name, `is ${port}, the same port as ${first}`)
    }
  }

  refuseRenamed(): void {
    for (const [name, newName] of Object.entries(renamedSettings)) {
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
