import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pageScenarios } from './page-scenarios.ts'
import { payer } from './payer.ts'
import { customersByEmail, makeCustomer } from './shop.ts'
import { emailOf, payerDetails } from './visit.ts'
import { interceptionShift } from './watch.ts'

const quick = '5200000000002235'

/** Fields that a browser fills in, each with its autofill token. */
const tokens = {
  name: 'given-name',
  lastname: 'family-name',
  email: 'email',
  phone: 'tel',
  country: 'country',
  number: 'cc-number',
  expiry: 'cc-exp',
  cvc: 'cc-csc',
  holder: 'cc-name',
}

describe('the payer’s details', { concurrency: 2 }, () => {
  it('are asked for if the merchant did not send them, and create a customer of the merchant', async (t) => {
    const visit = await payer(t)
    const { page, pay, sees } = visit
    assert.equal(await page.locator('#country').inputValue(), 'TR')
    await pay(quick)
    await sees('paid')
    assert.equal(await page.evaluate('sessionStorage.length'), 0, 'nothing of it stays in the tab')
    const [customer, ...others] = await customersByEmail(emailOf(visit))
    assert.deepEqual(others, [])
    assert.equal(customer?.created_via_payment, true)
    assert.deepEqual([customer?.name, customer?.lastname], [payerDetails.name, payerDetails.lastname])
    assert.deepEqual([customer?.phone, customer?.country], ['+905321234567', 'TR'])
  })

  it('create one customer, however often the card is declined first', async (t) => {
    const visit = await payer(t)
    const { page, pay, seesNotice, type, sees } = visit
    await pay('4129111111111111')
    await seesNotice(/4 deneme hakkınız kaldı/)
    assert.equal(await page.locator('#email').inputValue(), emailOf(visit))
    await page.fill('#lastname', 'Öztürk Ay')
    await type(quick)
    await page.click('#pay')
    await sees('paid')
    const customers = await customersByEmail(emailOf(visit))
    assert.deepEqual(
      customers.map(({ lastname }) => lastname),
      ['Öztürk Ay'],
    )
  })

  it('show a fault beside each wrong field, and no attempt is made', async (t) => {
    const { page, type, attempts } = await payer(t, { language: 'en' })
    await type(quick)
    await page.fill('#email', 'isik at example')
    await page.fill('#phone', '12')
    await page.click('#pay')
    await page.locator('#email-fault:not([hidden])', { hasText: /e-mail/ }).waitFor()
    await page.locator('#phone-fault:not([hidden])', { hasText: /number/ }).waitFor()
    await page.locator('#email:focus').waitFor()
    assert.deepEqual(await attempts(), [])
  })

  it('are not asked for if the merchant sent them, and the page contains none of them', async (t) => {
    const secret = { name: 'Gizem', lastname: 'Saklı', email: 'gizem.sakli@example.com' }
    const customer = await makeCustomer({ ...secret, phone: '+905339876543' })
    const { page, pay, sees } = await payer(t, { form: { customer_id: String(customer.id) } })
    assert.equal(await page.locator('#payer, #name, #email').count(), 0)
    const source = await page.content()
    for (const each of [...Object.values(secret), '9876543', String(customer.id)])
      assert.ok(!source.includes(each), each)
    await pay(quick)
    await sees('paid')
    const after = await page.content()
    for (const each of [...Object.values(secret), '9876543']) assert.ok(!after.includes(each), each)
  })

  it('show an example of a phone number of the chosen country, also after a reload', async (t) => {
    const { page } = await payer(t, { language: 'en' })
    const hint = page.locator('label[for=phone] span')
    assert.equal(await hint.innerText(), 'e.g. 0501 234 56 78')
    await page.locator('#country option').nth(200).waitFor({ state: 'attached' })
    assert.equal(await page.locator('#country').inputValue(), 'TR')
    await page.selectOption('#country', 'DE')
    assert.equal(await hint.innerText(), 'e.g. 01512 3456789')
    await page.reload()
    await page.locator('#country option').nth(200).waitFor({ state: 'attached' })
    assert.equal(await page.locator('#country').inputValue(), 'DE')
    assert.equal(await hint.innerText(), 'e.g. 01512 3456789')
    assert.equal(await page.locator('[placeholder]').count(), 0, 'no placeholder is read aloud')
  })

  it('can be typed if the list of countries does not arrive, and the list is asked for again', async (t) => {
    const { page, pay, sees } = await payer(t, { expected: [/ERR_/, interceptionShift] })
    let isDown = true
    await page.route(/countries/, (route) => (isDown ? route.abort() : route.continue()))
    const failed = page.waitForEvent('requestfailed')
    await page.reload()
    await failed
    isDown = false
    await page.locator('#country').focus()
    await page.locator('#country option').nth(200).waitFor({ state: 'attached' })
    await pay(quick)
    await sees('paid')
  })

  it('get the list of countries when the payer reaches it, while a picture does not arrive', async (t) => {
    const scenario = pageScenarios.find(({ name }) => name === 'pictures')
    const { form: { customer_id: _, ...form } = {}, shop } = (await scenario?.options?.()) ?? {}
    const { page } = await payer(t, { form, ...(shop && { shop }), expected: interceptionShift })
    const held = Promise.withResolvers<void>()
    await page.route('**/tiles/**', (route) => held.promise.then(() => route.continue()))
    await page.reload({ waitUntil: 'domcontentloaded' })
    await page.locator('#country').focus()
    await page.locator('#country option').nth(200).waitFor({ state: 'attached' })
    assert.equal(await page.evaluate('document.readyState'), 'interactive')
    held.resolve()
    await page.waitForLoadState()
  })

  it('have an autofill token and a suitable keyboard in every field', async (t) => {
    const { page } = await payer(t, { width: 375, touch: true })
    for (const [name, token] of Object.entries(tokens))
      assert.equal(await page.locator(`#${name}`).getAttribute('autocomplete'), token, name)
    for (const name of ['number', 'expiry', 'cvc'])
      assert.equal(await page.locator(`#${name}`).getAttribute('inputmode'), 'numeric', name)
    assert.equal(await page.locator('#email').getAttribute('type'), 'email')
    assert.equal(await page.locator('#phone').getAttribute('type'), 'tel')
    assert.equal(await page.locator('button[type=submit]').count(), 1)
    // Phones zoom into smaller text.
    for (const name of Object.keys(tokens)) {
      const size = await page.locator(`#${name}`).evaluate((field) => {
        return field.ownerDocument.defaultView.getComputedStyle(field).fontSize as string
      })
      assert.ok(Number.parseFloat(size) >= 16, `${name}: ${size}`)
    }
  })
})
