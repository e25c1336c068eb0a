import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../testing/harness/any-text.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import type { BrowserFacts } from './browser.ts'
import { browserElementsFrom } from './browser.ts'
import { buildMessage } from './build-message.ts'
import { supportedVersions } from './versions.ts'

const script = {
  javaEnabled: false,
  language: 'tr-TR',
  colorDepth: 24,
  screenHeight: 1080,
  screenWidth: 1920,
  timeZoneOffset: -180,
}

const facts: BrowserFacts = {
  acceptHeader: 'text/html,*/*;q=0.8',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0)',
  acceptLanguage: 'de-DE,de;q=0.9',
  address: '203.0.113.7',
  script,
}

const clean = (more: Partial<BrowserFacts>, version: '2.2.0' | '2.3.1' = '2.2.0') =>
  buildMessage(browserElementsFrom({ ...facts, ...more }, version))
const scripted = (more: Record<string, unknown>) => clean({ script: { ...script, ...more } })

it('browser data is sent in the protocol’s format', () => {
  const expected = {
    browserAcceptHeader: 'text/html,*/*;q=0.8',
    browserUserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0)',
    browserLanguage: 'tr-TR',
    browserIP: '203.0.113.7',
    browserJavascriptEnabled: true,
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenHeight: '1080',
    browserScreenWidth: '1920',
    browserTZ: '-180',
  }
  assert.deepEqual(clean({}), expected)
  const texts = Object.fromEntries(Object.entries(script).map(([name, value]) => [name, String(value)]))
  assert.deepEqual(clean({ script: texts }), expected)
})

it('for a browser without scripts, elements that need a script are left out', () => {
  const expected = {
    browserAcceptHeader: facts.acceptHeader,
    browserUserAgent: facts.userAgent,
    browserLanguage: 'de-DE',
    browserIP: facts.address,
    browserJavascriptEnabled: false,
  }
  for (const nothing of [undefined, null, 'x', [], {}]) assert.deepEqual(clean({ script: nothing }), expected)
  for (const half of [
    { colorDepth: 0 },
    { colorDepth: 'deep' },
    { screenHeight: -1 },
    { screenWidth: Number.NaN },
    { timeZoneOffset: 100_000 },
    { timeZoneOffset: undefined },
  ]) {
    assert.deepEqual(scripted({ language: undefined, ...half }), expected, JSON.stringify(half))
  }
})

it('a colour depth is rounded down to the nearest value of the protocol', () => {
  const depths = {
    1: '1',
    2: '1',
    5: '4',
    8: '8',
    15: '15',
    18: '16',
    24: '24',
    30: '24',
    36: '32',
    48: '48',
    64: '48',
  }
  for (const [depth, expected] of Object.entries(depths)) {
    const cleaned = scripted({ colorDepth: Number(depth) })
    assert.equal(cleaned.browserColorDepth, expected, depth)
  }
})

it('a language tag that is too long is cut between its subtags', () => {
  const languages = {
    'en-GB-oxendict': ['en-GB', 'en-GB-oxendict'],
    'zh-Hans-CN': ['zh-Hans', 'zh-Hans-CN'],
    'en-a-bbb': ['en-a-bbb', 'en-a-bbb'],
    'en-a-bbbbbb': ['en', 'en-a-bbbbbb'],
    'en-x': ['en', 'en'],
    tr_TR: ['tr-TR', 'tr-TR'],
    tr: ['tr', 'tr'],
    xxxxxxxxx: ['de-DE', 'de-DE'],
  }
  for (const [language, expected] of Object.entries(languages)) {
    const cleaned = supportedVersions.map(
      (version) => clean({ script: { ...script, language } }, version).browserLanguage,
    )
    assert.deepEqual(cleaned, expected, language)
  }
  assert.equal(clean({ script: undefined, acceptLanguage: '*' }).browserLanguage, 'tr')
  assert.equal(clean({ script: undefined, acceptLanguage: undefined }).browserLanguage, 'tr')
})

it('headers are cut to their maximum length and cleaned of invalid characters', () => {
  const cleaned = clean({ userAgent: `a\r\nb\u0000ş${'x'.repeat(3000)}`, acceptHeader: undefined })
  assert.equal(cleaned.browserUserAgent, `a  b  ${'x'.repeat(2042)}`)
  assert.equal(cleaned.browserAcceptHeader, '*/*')
  assert.equal(clean({ userAgent: ' \t' }).browserUserAgent, 'unknown')
})

it('an IP address is valid or left out', () => {
  const addresses = {
    '::ffff:203.0.113.7': '203.0.113.7',
    'fe80::1%eth0': 'fe80::1',
    '2001:db8:0:0:0:0:0:1': '2001:db8:0:0:0:0:0:1',
    unknown: undefined,
    '203.0.113.7, 10.0.0.1': undefined,
    '': undefined,
  }
  for (const [address, expected] of Object.entries(addresses)) {
    assert.equal(clean({ address }).browserIP, expected, address)
  }
  assert.ok(!('browserIP' in clean({ address: undefined })))
})

it('every element is valid, whatever a browser sends', () => {
  const odd = fc.oneof(
    fc.anything(),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
    fc.double(),
    fc.integer({ min: -10, max: 2_000_000 }),
    fc.constantFrom('24', '-180', 'en-GB-oxendict', -0, 0.4, 1e21, '1e5', '-0', '00012', 'tr_TR-x-y'),
  )
  const header = fc.option(fc.string({ unit: anyCharacter, maxLength: 5_000 }), { nil: undefined })
  const names = fc.constantFrom(...Object.keys(script))
  const hostile = fc.record({
    acceptHeader: header,
    userAgent: header,
    acceptLanguage: header,
    address: fc.oneof(header, fc.ipV4(), fc.ipV6()),
    script: fc.oneof(
      odd,
      fc.dictionary(names, odd).map((more) => ({ ...script, ...more })),
    ),
  })
  for (const version of supportedVersions) {
    fc.assert(
      fc.property(hostile, (each) => {
        const cleaned = buildMessage(browserElementsFrom(each, version))
        const count = Object.keys(cleaned).filter((name) => name !== 'browserIP').length
        assert.equal(count, cleaned.browserJavascriptEnabled ? 9 : 4)
      }),
      { numRuns: repetitions(1_000) },
    )
  }
})
