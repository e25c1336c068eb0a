import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemRandom } from '../../../kit/security/random.ts'
import { nestpay, sandboxNestpay } from './index.ts'
import { endpointUrl, liveSettingFields } from './settings.ts'

const read = (name: string, text: string) => {
  const value = liveSettingFields.find((setting) => setting.name === name)?.read(text)
  return value && 'value' in value ? value.value : undefined
}

it('the address of a bank is an https origin with a public host name', () => {
  assert.equal(read('address', 'https://sanalpos.example.com.tr'), 'https://sanalpos.example.com.tr')
  assert.equal(
    read('address', 'https://SANALPOS.example.com.tr:8443/'),
    'https://sanalpos.example.com.tr:8443',
  )
  const wrong = [
    'http://sanalpos.example.com.tr',
    'https://sanalpos.example.com.tr/fim/api',
    'https://sanalpos.example.com.tr?a=1',
    'https://sanalpos.example.com.tr#a',
    'https://user@sanalpos.example.com.tr',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://10.0.0.1',
    'https://[::1]',
    'https://localhost',
    'https://localhost.',
    'https://a.localhost',
    'https://bank',
    'https://bank.local',
    'https://metadata.google.internal',
    'sanalpos.example.com.tr',
    'javascript:alert(1)',
    'https://a .example.com',
    '',
  ]
  for (const text of wrong) assert.equal(read('address', text), undefined, text)
})

it('gate and api are paths at the bank’s address, or complete addresses', () => {
  assert.equal(read('gate', '/servlet/est3Dgate'), '/servlet/est3Dgate')
  assert.equal(read('api', 'https://api.example.com.tr/fim/api'), 'https://api.example.com.tr/fim/api')
  for (const text of [
    'fim/api',
    '//evil.example/api',
    '/../x',
    '/a?b',
    'http://a.example/x',
    'https://127.0.0.1/x',
  ])
    assert.equal(read('api', text), undefined, text)
  assert.equal(endpointUrl('https://a.example', '/fim/api'), 'https://a.example/fim/api')
  assert.equal(endpointUrl('https://a.example', 'https://b.example/x'), 'https://b.example/x')
})

it('half 3-D Secure is off by default', () => {
  assert.equal(liveSettingFields.find(({ name }) => name === 'accept_half_3d')?.defaultValue, 'no')
  assert.equal(read('accept_half_3d', 'yes'), 'yes')
  assert.equal(read('accept_half_3d', 'evet'), undefined)
})

it('a sandbox store gets a client id of twelve digits and its key; a live store gets no secrets from us', () => {
  const secrets = sandboxNestpay.issueSecrets?.(systemRandom) ?? {}
  assert.match(secrets['client_id'] ?? '', /^[1-9]\d{11}$/)
  assert.equal(secrets['store_key'], `SKEY${secrets['client_id']}`)
  assert.equal(nestpay.issueSecrets, undefined)
  assert.deepEqual([nestpay.mode, sandboxNestpay.mode], ['live', 'test'])
})
