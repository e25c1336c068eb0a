import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Environment } from './config.ts'
import { readConfig, WrongSettings } from './config.ts'

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof WrongSettings)
    return error.problems
  }
}

it('the defaults are those of the README', () => {
  const config = readConfig({})
  assert.equal(config.apiUrl, 'http://localhost:4242')
  assert.equal(config.pageUrl, 'http://localhost:4243')
  assert.equal(config.metricsPort, 4246)
  assert.equal(config.demoPort, 4247)
  assert.equal(config.databaseUrl, undefined)
  assert.equal(config.drainSeconds, 5)
  assert.deepEqual([config.databaseWaitSeconds, config.requestDeadlineSeconds], [60, 120])
  assert.equal(config.webhooksPerMerchant, 20)
  assert.equal(config.loopbackWebhooks, 'test')
  assert.deepEqual(
    [config.rateLimitPerSecond, config.rateLimitBurst, config.failedCredentialsPerMinute],
    [100, 200, 60],
  )
  assert.deepEqual(
    [config.bankTimeoutSeconds, config.attemptsPerAddress, config.attemptsPerCard],
    [45, 30, 10],
  )
  assert.deepEqual(config.inquireAfterSeconds, [60, 300, 900, 3600])
  assert.deepEqual(config.reverseAgainAfterSeconds, [60, 300, 900, 3600])
  assert.ok(Object.isFrozen(config))
})

it('waits are increasing seconds, and the first is longer than the bank timeout', () => {
  assert.deepEqual(readConfig({ INQUIRE_AFTER_SECONDS: ' 60, 120 ' }).inquireAfterSeconds, [60, 120])
  for (const wrong of ['0', '59', '60,60', '300,60', '60,', 'x', '60;120', '-60', '1e3', '60,9999999'])
    assert.equal(problemsOf({ INQUIRE_AFTER_SECONDS: wrong }).length, 1, wrong)
  for (const wrong of ['0', '56', '4.5'])
    assert.equal(problemsOf({ BANK_TIMEOUT_SECONDS: wrong }).length, 1, wrong)
  assert.equal(readConfig({ VERIFICATIONS_PER_SECOND: '5' }).verificationsPerSecond, 5)
  for (const wrong of ['0', '101', '1.5'])
    assert.equal(problemsOf({ VERIFICATIONS_PER_SECOND: wrong }).length, 1, wrong)
})

it('one message names every wrong setting', () => {
  const env = {
    API_PORT: '0',
    METRICS_PORT: 'abc',
    DEMO_PORT: '-1',
    PAGE_PORT: '70000',
    API_URL: 'ftp://x',
    PAGE_URL: 'not an address',
    DATABASE_URL: 'mysql://x',
    HOST: 'a b',
    TRUSTED_PROXIES: '10.0.0.0/8, nonsense, 10.0.0.0/99',
    ATTEMPTS_PER_ADDRESS: 'many',
    ATTEMPTS_PER_CARD: '1000001',
    WEBHOOKS_PER_MERCHANT: '0',
    LOOPBACK_WEBHOOKS: 'no',
    CLOCK_TOLERANCE_SECONDS: '3601',
    DRAIN_SECONDS: '-1',
    DATABASE_WAIT_SECONDS: '3601',
    REQUEST_DEADLINE_SECONDS: '59',
    LOG_LEVEL: 'loud',
    VEZNE_SECRET_PREVIOUS: 'short',
    VEZNE_HOEM: '/x',
  }
  const problems = problemsOf(env)
  const named = problems.map((problem) => problem.split(' ')[0])
  assert.deepEqual(named.toSorted(), [...Object.keys(env), 'TRUSTED_PROXIES', 'VEZNE_SECRET'].toSorted())
  assert.throws(() => readConfig(env), /Some settings are wrong:\n {2}- API_PORT .*\n {2}- /)
})

it('a renamed setting is refused under its old name with the new one, unless it is empty', () => {
  assert.deepEqual(problemsOf({ BANK_PATIENCE_SECONDS: '20', DIRECTORY_PATIENCE_SECONDS: '9' }), [
    'BANK_PATIENCE_SECONDS is now called BANK_TIMEOUT_SECONDS',
    'DIRECTORY_PATIENCE_SECONDS is now called DIRECTORY_TIMEOUT_SECONDS',
  ])
  assert.deepEqual(problemsOf({ BANK_PATIENCE_SECONDS: '' }), [])
})

it('a secret or a database password is never repeated in a message', () => {
  const problems = problemsOf({ VEZNE_SECRET: 'hunter2', DATABASE_URL: 'http://u:hunter2@x/y' }).join()
  assert.ok(!problems.includes('hunter2'))
})

describe('dependent settings', () => {
  it('an external database requires a secret', () => {
    assert.match(problemsOf({ DATABASE_URL: 'postgres://h/d' }).join(), /VEZNE_SECRET is required/)
    assert.deepEqual(problemsOf({ DATABASE_URL: 'postgres://h/d', VEZNE_SECRET: 'x'.repeat(32) }), [])
  })

  it('two apps cannot use the same port', () => {
    assert.deepEqual(problemsOf({ API_PORT: '4246' }), ['METRICS_PORT is 4246, the same port as API_PORT'])
  })

  it('the public address follows the port unless it is set', () => {
    assert.equal(readConfig({ API_PORT: '9000' }).apiUrl, 'http://localhost:9000')
    assert.equal(
      readConfig({ API_PORT: '9000', API_URL: 'https://pay.example/' }).apiUrl,
      'https://pay.example',
    )
  })

  it('an empty setting counts as not set', () => {
    assert.equal(readConfig({ API_PORT: '', DATABASE_URL: '' }).apiPort, 4242)
  })
})
