import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { payer } from './payer.ts'
import { interceptionShift } from './watch.ts'

/** Inserts text at the caret in one step, as the clipboard does. */
async function paste(page: Page, id: string, text: string): Promise<void> {
  await page.focus(`#${id}`)
  await page.keyboard.insertText(text)
}

const typed = (page: Page, id: string) => page.locator(`#${id}`).inputValue()

const caretOf = (page: Page, id: string) =>
  page.evaluate<number>(`document.getElementById('${id}').selectionStart`)

const fault = (page: Page, id: string) => page.locator(`#${id}-fault:not([hidden])`)

describe('typing a card', { concurrency: 2 }, () => {
  it('digits are grouped as on the card, in any notation', async (t) => {
    const { page } = await payer(t)
    for (const [keys, shown] of [
      ['4000000000002701', '4000 0000 0000 2701'],
      ['4000 0000 0000 2701', '4000 0000 0000 2701'],
      ['4000-0000-0000-2701', '4000 0000 0000 2701'],
      [' 4000\u00a00000 0000.2701\t', '4000 0000 0000 2701'],
      ['340000000002708', '3400 000000 02708'],
      ['9792030394440796', '9792 0303 9444 0796'],
    ] as const) {
      await page.fill('#number', '')
      await paste(page, 'number', keys)
      assert.equal(await typed(page, 'number'), shown, keys)
    }
  })

  it('typing key by key gives the same text, and the caret stays at the end', async (t) => {
    const { page } = await payer(t)
    for (const [keys, shown] of [
      ['5200000000002235', '5200 0000 0000 2235'],
      ['340000000002708', '3400 000000 02708'],
    ] as const) {
      await page.fill('#number', '')
      await page.locator('#number').pressSequentially(keys)
      assert.equal(await typed(page, 'number'), shown)
      assert.equal(await caretOf(page, 'number'), shown.length)
    }
  })

  it('a digit corrected in the middle leaves the caret behind it', async (t) => {
    const { page } = await payer(t)
    await page.fill('#number', '5200000000002235')
    await page.focus('#number')
    await page.evaluate(`document.getElementById('number').setSelectionRange(6, 6)`)
    await page.keyboard.press('Backspace')
    assert.equal(await typed(page, 'number'), '5200 0000 0002 235')
    assert.ok([4, 5].includes(await caretOf(page, 'number')))
    await page.keyboard.type('7')
    assert.equal(await typed(page, 'number'), '5200 7000 0000 2235')
    assert.equal(await caretOf(page, 'number'), 6)
  })

  it('Backspace behind a gap deletes the digit before it, and Delete before a gap deletes the digit behind it', async (t) => {
    const { page } = await payer(t)
    await page.fill('#number', '4000123400002701')
    await page.focus('#number')
    await page.evaluate(`document.getElementById('number').setSelectionRange(5, 5)`)
    await page.keyboard.press('Backspace')
    assert.equal((await typed(page, 'number')).replaceAll(' ', ''), '400123400002701')
    await page.fill('#number', '4000123400002701')
    await page.evaluate(`document.getElementById('number').setSelectionRange(4, 4)`)
    await page.keyboard.press('Delete')
    assert.equal((await typed(page, 'number')).replaceAll(' ', ''), '400023400002701')
  })

  it('undo and redo keys work on the typed digits', async (t) => {
    const { page } = await payer(t)
    await page.locator('#number').pressSequentially('52000')
    await page.keyboard.press('ControlOrMeta+z')
    assert.equal(await typed(page, 'number'), '5200')
    await page.keyboard.press('ControlOrMeta+Shift+z')
    assert.equal(await typed(page, 'number'), '5200 0')
    // A browser may keep the page when the window navigates away.
    await page.evaluate('window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))')
    await page.keyboard.press('ControlOrMeta+z')
    assert.equal(await typed(page, 'number'), '', 'nothing of a card stays in a page that was left')
  })

  it('the plans of a card are announced, and a late response for another card is not shown', async (t) => {
    const { page } = await payer(t, { form: { amount: '125000' }, expected: interceptionShift })
    const late = Promise.withResolvers<void>()
    await page.route(/\/offer$/, async (route) => {
      if (String(route.request().postDataJSON().bin).startsWith('5400')) await late.promise
      await route.continue()
    })
    const plans = page.locator('#plans[data-state=offered] .plan')
    await page.fill('#number', '54003600')
    await page.fill('#number', '47666200')
    await page.waitForSelector('#plans[data-state=none]')
    const came = page.waitForResponse(/\/offer$/)
    late.resolve()
    await (await came).finished()
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
    assert.equal(await plans.count(), 0)
    await page.fill('#number', '54003600')
    await plans.nth(1).waitFor()
    assert.match((await page.locator('main > p[role=status]').textContent()) ?? '', /^\d+ ödeme seçeneği var/)
  })

  it('an expiry can be typed in every usual notation', async (t) => {
    const { page } = await payer(t)
    for (const [keys, shown] of [
      ['1230', '12/30'],
      ['12/30', '12/30'],
      ['12 / 30', '12/30'],
      ['12-2030', '12/30'],
      ['122030', '12/30'],
      ['3/31', '03/31'],
      ['331', '03/31'],
    ] as const) {
      await page.fill('#expiry', '')
      await page.locator('#expiry').pressSequentially(keys)
      await page.locator('#cvc').focus()
      const value = (await typed(page, 'expiry')).replaceAll(' ', '').replace('/20', '/')
      assert.equal(value, shown, keys)
    }
  })

  it('the brand is shown and named as soon as it is known', async (t) => {
    const { page } = await payer(t, { language: 'en' })
    for (const [number, brand] of [
      ['4', /visa/i],
      ['52', /mastercard/i],
      ['34', /american express|amex/i],
      ['9792', /troy/i],
    ] as const) {
      await page.fill('#number', '')
      await page.locator('#number').pressSequentially(number)
      await page.locator('#brand-name', { hasText: brand }).waitFor({ state: 'attached' })
    }
  })

  it('a fault is shown when the payer leaves the field, and disappears when it is corrected', async (t) => {
    const { page } = await payer(t)
    for (const [id, wrong, right] of [
      ['number', '4000000000002700', '4000000000002701'],
      ['expiry', '0120', '1230'],
      ['cvc', '1', '123'],
    ] as const) {
      await page.locator(`#${id}`).click()
      await page.keyboard.type(wrong)
      assert.equal(await fault(page, id).count(), 0, `${id}: nothing is said while typing`)
      await page.keyboard.press('Tab')
      await fault(page, id).waitFor()
      assert.equal(await page.locator(`#${id}`).getAttribute('aria-invalid'), 'true')
      await page.locator(`#${id}`).click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(right)
      await page.keyboard.press('Tab')
      await fault(page, id).waitFor({ state: 'hidden' })
      assert.notEqual(await page.locator(`#${id}`).getAttribute('aria-invalid'), 'true')
    }
  })

  it('an empty field that was only visited shows no fault; sending the form shows it', async (t) => {
    const { page, attempts } = await payer(t)
    await page.locator('#number').click()
    await page.keyboard.press('Tab')
    assert.equal(await fault(page, 'number').count(), 0)
    await page.click('#pay')
    await fault(page, 'number').waitFor()
    assert.equal(await page.locator(':focus[aria-invalid=true]').count(), 1)
    const alert = await page.locator('p[role=alert]').textContent()
    assert.match(alert ?? '', /^Lütfen kontrol edin: Ad, Soyad, .*Kart numarası, Son kullanma/)
    assert.deepEqual(await attempts(), [])
  })

  it('faults beside the fields move nothing', async (t) => {
    const { page } = await payer(t)
    const buttonTop = () => page.evaluate('document.querySelector("#pay").offsetTop')
    const before = await buttonTop()
    await page.click('#pay')
    await fault(page, 'number').waitFor()
    assert.equal(await buttonTop(), before)
  })

  it('a click on a test card fills it in', async (t) => {
    const { page, attempts } = await payer(t)
    await page.locator('#test-cards button').first().click()
    for (const id of ['number', 'expiry', 'cvc']) assert.notEqual(await typed(page, id), '', id)
    assert.deepEqual(await attempts(), [])
  })
})
