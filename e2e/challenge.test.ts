import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ageChallenge } from './database.ts'
import { payer } from './payer.ts'

describe('a challenge in our own 3-D Secure', { concurrency: 2 }, () => {
  it('pays with the right code after two wrong codes', async (t) => {
    const { pay, answers, sees } = await payer(t, { width: 375 })
    await pay('5200000000002151')
    await answers('wrong')
    await answers('wrong')
    await answers('right')
    await sees('paid')
  })

  it('does not pay after three wrong codes', async (t) => {
    const { pay, answers, seesNotice, result } = await payer(t)
    await pay('5200000000002151')
    for (let tries = 0; tries < 3; tries++) await answers('wrong')
    await seesNotice(/4 deneme hakkınız kaldı/)
    assert.equal((await result()).payment_status_text, 'waiting')
  })

  it('can be cancelled and tried again, with the same card too', async (t) => {
    const { pay, answers, seesNotice, sees } = await payer(t, { language: 'en' })
    await pay('5200000000002151')
    await answers('cancel')
    await seesNotice(/Attempts left: 4/)
    await pay('5200000000002151')
    await answers('right')
    await sees('paid')
  })

  it('that is not answered in time shows a notice and allows another attempt', async (t) => {
    const { id, pay, bank, seesNotice, result } = await payer(t)
    await pay('5200000000002151')
    await bank()
    await ageChallenge(id, 601)
    await seesNotice(/4 deneme hakkınız kaldı/)
    assert.equal((await result()).payment_status_text, 'waiting')
  })
})
