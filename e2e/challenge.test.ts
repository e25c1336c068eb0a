import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ageChallenge } from './database.ts'
import { payer } from './payer.ts'

describe('with a question to the payer', { concurrency: 2 }, () => {
  it('a wrong code may be typed twice, and then the right one pays', async (t) => {
    const { pay, answers, sees } = await payer(t, { width: 375 })
    await pay('5200000000002151')
    await answers('wrong')
    await answers('wrong')
    await answers('right')
    await sees('paid')
  })

  it('three wrong codes do not pay', async (t) => {
    const { pay, answers, seesNotice, result } = await payer(t)
    await pay('5200000000002151')
    for (let tries = 0; tries < 3; tries++) await answers('wrong')
    await seesNotice(/4 deneme hakkınız kaldı/)
    assert.equal((await result()).payment_status_text, 'waiting')
  })

  it('who gives up at the bank may try again, with the same card too', async (t) => {
    const { pay, answers, seesNotice, sees } = await payer(t, { language: 'en' })
    await pay('5200000000002151')
    await answers('cancel')
    await seesNotice(/Attempts left: 4/)
    await pay('5200000000002151')
    await answers('right')
    await sees('paid')
  })

  it('who does not answer in time is told so, and may try again', async (t) => {
    const { id, pay, bank, seesNotice, result } = await payer(t)
    await pay('5200000000002151')
    await bank()
    await ageChallenge(id, 601)
    await seesNotice(/4 deneme hakkınız kaldı/)
    assert.equal((await result()).payment_status_text, 'waiting')
  })
})
