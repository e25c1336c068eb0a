import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isCardEntrySecure } from './page-security.ts'

it('a page is secure with https or on the local machine', () => {
  for (const pageUrl of [
    'https://pay.example/vezne',
    'http://localhost:4243',
    'http://pay.localhost',
    'http://127.0.0.1:4243',
    'http://127.1.2.3',
    'http://[::1]:4243',
  ])
    assert.equal(isCardEntrySecure({ pageUrl }), true, pageUrl)
  for (const pageUrl of [
    'http://pay.example',
    'http://10.0.0.1',
    'http://127.evil.example',
    'http://localhost.evil.example',
    'http://notlocalhost',
    'http://[::2]',
  ])
    assert.equal(isCardEntrySecure({ pageUrl }), false, pageUrl)
})
