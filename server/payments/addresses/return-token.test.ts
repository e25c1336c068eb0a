import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Keyring } from '../../../kit/security/keyring.ts'
import { systemRandom } from '../../../kit/security/random.ts'
import { newPageAddress } from './page-address.ts'
import type { ReturnPurpose } from './return-token.ts'
import { openReturnToken, sealReturnToken } from './return-token.ts'

const secret = 'a secret of at least thirty-two letters'
const services = { keyring: new Keyring(secret, undefined), random: systemRandom }
const merchantId = 10_000_000_000_001
const attemptId = 10_000_000_000_003
const { url } = newPageAddress('https://pay.example', { merchantId, id: 10_000_000_000_002 }, systemRandom)
const page = url.slice(url.lastIndexOf('/') + 1)
const purposes: ReturnPurpose[] = ['method', 'challenge', 'results', 'return']

it('a return token opens its attempt and page, only for the purpose it was made for', () => {
  for (const purpose of purposes) {
    const token = sealReturnToken(services, purpose, { attemptId, page })
    for (const other of purposes) {
      const context = openReturnToken(services, other, token)
      assert.deepEqual(
        context && [context.attemptId, context.page, context.token.merchantId],
        {
          true: [attemptId, page, merchantId],
          false: undefined,
        }[`${other === purpose}`],
      )
    }
  }
})

it('a return token has one spelling: a changed, cut or extended token is refused', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const token = sealReturnToken(services, 'return', { attemptId, page })
  const read = (text: string) => openReturnToken(services, 'return', text)
  for (let index = 0; index < token.length; index++) {
    const bent = [...token]
    for (const letter of index > token.length - 3 ? letters : letters.slice(0, 2)) {
      if (letter === token[index]) continue
      bent[index] = letter
      assert.equal(read(bent.join('')), undefined, `letter ${index}`)
    }
  }
  for (const text of ['', '.', token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, token.repeat(2)])
    assert.equal(read(text), undefined)
})

it('a return token opens after the secret is rotated, and no more once the old secret is removed', () => {
  const token = sealReturnToken(services, 'challenge', { attemptId, page })
  const newer = 'another secret of thirty-two letters'
  assert.ok(openReturnToken({ keyring: new Keyring(newer, secret) }, 'challenge', token))
  assert.equal(openReturnToken({ keyring: new Keyring(newer, undefined) }, 'challenge', token), undefined)
})

it('a return token reveals nothing of its content, and two tokens of the same content differ', () => {
  const [one, other] = [1, 2].map(() => sealReturnToken(services, 'return', { attemptId, page }))
  assert.notEqual(one, other)
  assert.ok(!one?.includes(page) && !one?.includes(String(attemptId)))
  assert.ok((one?.length ?? 0) <= 120, 'notification addresses have 256 letters in all')
})
