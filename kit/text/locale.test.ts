import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isCountry, isTwoDecimalCurrency } from '../money/countries-and-currencies.ts'
import { preferredLanguage } from './locale.ts'
import { displayTime, isoTime, isTimeZone } from './zoned-time.ts'

it('the header’s preferred language among ours is chosen by quality, or none', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['tr', 'tr'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['de', undefined],
    ['*', undefined],
    ['de, en;q=0.5', 'en'],
    ['en;q=0.5, tr;q=0.9', 'tr'],
    ['en, tr', 'en'],
    ['en;q=0, tr;q=0.1', 'tr'],
    ['en;q=0', undefined],
    ['tr;q=nonsense', 'tr'],
    [',,;;q=1', undefined],
    ['english', undefined],
    [`${'x,'.repeat(5000)}en`, undefined],
  ]
  for (const [header, language] of cases)
    assert.equal(preferredLanguage(header), language, String(header).slice(0, 40))
})

it('times have the offset of their zone, including summer time and half hours', () => {
  const at = (text: string, zone: string) => isoTime(new Date(text), zone)
  assert.equal(at('2026-11-15T06:30:00Z', 'Europe/Istanbul'), '2026-11-15T09:30:00+03:00')
  assert.equal(at('2026-11-15T06:30:00.999Z', 'UTC'), '2026-11-15T06:30:00+00:00')
  assert.equal(at('2026-07-01T12:00:00Z', 'Europe/London'), '2026-07-01T13:00:00+01:00')
  assert.equal(at('2026-12-01T12:00:00Z', 'Europe/London'), '2026-12-01T12:00:00+00:00')
  assert.equal(at('2026-03-29T00:59:59Z', 'Europe/London'), '2026-03-29T00:59:59+00:00')
  assert.equal(at('2026-03-29T01:00:00Z', 'Europe/London'), '2026-03-29T02:00:00+01:00')
  assert.equal(at('2026-01-01T00:00:00Z', 'Asia/Kolkata'), '2026-01-01T05:30:00+05:30')
  assert.equal(at('2026-01-01T00:00:00Z', 'America/St_Johns'), '2025-12-31T20:30:00-03:30')
  assert.equal(displayTime(new Date('2026-11-15T06:30:59Z'), 'Europe/Istanbul'), '15.11.2026 09:30')
  assert.equal(displayTime(new Date('2024-02-29T22:00:00Z'), 'Europe/Istanbul'), '01.03.2024 01:00')
})

it('only existing zones, countries and currencies are accepted', () => {
  assert.ok(isTimeZone('Europe/Istanbul') && !isTimeZone('Mars/Base') && !isTimeZone(''))
  for (const code of ['TR', 'DE', 'US', 'XK', 'CY']) assert.ok(isCountry(code), code)
  for (const code of ['XX', 'EU', 'UN', 'ZZ', 'tr', 'TUR', 'QO', '']) assert.ok(!isCountry(code), code)
  for (const code of ['TRY', 'USD', 'EUR']) assert.ok(isTwoDecimalCurrency(code), code)
  for (const code of ['JPY', 'KWD', 'ABC', 'try', '']) assert.ok(!isTwoDecimalCurrency(code), code)
})
