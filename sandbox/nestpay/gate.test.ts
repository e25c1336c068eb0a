import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { GatePage } from '../../testing/connectors/nestpay-shop.ts'
import { NestpayShop, passcodeOn } from '../../testing/connectors/nestpay-shop.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { hashOf } from './hash.ts'
import { encodeLatin5 } from './latin5.ts'

const challenged = '5451030000000109'
const smooth = '5451030000000018'

async function gateOnTest() {
  const { sql: own } = await testDatabase()
  const clock = new TestClock()
  const lines: string[] = []
  const note = (fields: object, text: string) => lines.push(JSON.stringify([fields, text]))
  const log = { debug: note, info: note, warn: note, error: note }
  const bank = await testBank({ sql: own, clock, log })
  return {
    shop: new NestpayShop(bank.address),
    other: await testBank({ sql: own, clock }),
    sql: own,
    clock,
    lines,
  }
}

/** Fields of the callback to the merchant, after checking its address and signature. */
function callbackFields(
  { fields, action }: GatePage,
  shop: NestpayShop,
  path: 'ok' | 'fail',
): Map<string, string> {
  assert.equal(action, `https://shop.example/${path}`)
  assert.equal(fields.get('HASH'), hashOf(fields, shop.storeKey))
  return fields
}

const typing = (shop: NestpayShop, { action = '' }: GatePage, code: string) =>
  shop.post(action, [['code', code]])

function wrongFor(page: GatePage): string {
  return passcodeOn(page) === '111111' ? '222222' : '111111'
}

describe('a payer at the gate', () => {
  it('who types the passcode is authenticated', async () => {
    const { shop } = await gateOnTest()
    const page = await shop.open(challenged, 'a', { firmaadi: 'Çınar & Oğulları "A.Ş."' })
    const fields = callbackFields(await typing(shop, page, passcodeOn(page)), shop, 'ok')
    assert.equal(fields.get('mdStatus'), '1')
    assert.equal(fields.get('txstatus'), 'Y')
    assert.equal(fields.get('eci'), '02')
    assert.match(fields.get('cavv') ?? '', /^[\w+/]{27}=$/)
    assert.equal(Buffer.from(fields.get('xid') ?? '', 'base64').length, 20)
    assert.equal(fields.get('firmaadi'), 'Çınar & Oğulları "A.Ş."')
    assert.equal(fields.get('maskedCreditCard'), '5451 03** **** 0109')
    assert.equal(fields.get('MaskedPan'), '545103***0109')
    const echoed = ['amount', 'currency', 'oid', 'taksit', 'clientid', 'storetype'].map((name) =>
      fields.get(name),
    )
    assert.deepEqual(echoed, ['123.45', '949', 'a', '', shop.clientId, '3d'])
    assert.notEqual(fields.get('rnd'), 'A1B2C3')
    for (const name of ['pan', 'cv2', 'hash']) assert.ok(!fields.has(name), name)
  })

  it('can type the passcode with a space, and is not authenticated after the third wrong one', async () => {
    const { shop } = await gateOnTest()
    const page = await shop.open(challenged, 'a')
    const code = passcodeOn(page)
    for (const left of ['2', '1']) {
      const again = await typing(shop, page, wrongFor(page))
      assert.match(again.html, new RegExp(`role="alert">Kod hatalı. Kalan deneme hakkınız: ${left}<`))
      assert.equal(passcodeOn(again), code)
      assert.ok((await shop.get(page.action ?? '')).html === again.html, 'who looks again sees the same')
    }
    const fields = callbackFields(
      await typing(shop, page, `${code.slice(0, 3)} ${code.slice(3)}`),
      shop,
      'ok',
    )
    assert.equal(fields.get('mdStatus'), '1')

    const second = await shop.open(challenged, 'b')
    for (let turn = 0; turn < 2; turn++) await typing(shop, second, wrongFor(second))
    const failed = callbackFields(await typing(shop, second, wrongFor(second)), shop, 'fail')
    assert.equal(failed.get('mdStatus'), '0')
    assert.equal(failed.get('txstatus'), 'N')
    assert.ok(!failed.has('cavv') && !failed.has('eci'))
    const late = callbackFields(await typing(shop, second, passcodeOn(second)), shop, 'fail')
    assert.equal(late.get('mdStatus'), '0', 'what was found does not change')
  })

  it('who cancels or takes longer than ten minutes is not authenticated', async () => {
    const { shop, clock } = await gateOnTest()
    const first = await shop.open(challenged, 'a')
    const cancelled = callbackFields(
      await shop.post(first.action ?? '', [
        ['code', ''],
        ['action', 'cancel'],
      ]),
      shop,
      'fail',
    )
    assert.equal(cancelled.get('mdStatus'), '0')
    assert.match(cancelled.get('mdErrorMsg') ?? '', /cancelled/)

    const [second, third] = [await shop.open(challenged, 'b'), await shop.open(challenged, 'c')]
    clock.advance(600_000 - 1)
    assert.equal(
      callbackFields(await typing(shop, second, passcodeOn(second)), shop, 'ok').get('mdStatus'),
      '1',
    )
    assert.equal(passcodeOn(await shop.get(third.action ?? '')), passcodeOn(third))
    clock.advance(1)
    const late = callbackFields(await shop.get(third.action ?? ''), shop, 'fail')
    assert.match(late.get('mdErrorMsg') ?? '', /timed out/)
    assert.match(third.html, /http-equiv="refresh" content="601; url=\/fim\/est3Dgate\/[a-p]{32}"/)
  })

  it('who has finished gets the same result again, also from another instance of the bank', async () => {
    const { shop, other } = await gateOnTest()
    const page = await shop.open(challenged, 'a')
    const first = callbackFields(
      await typing(new NestpayShop(other.address), page, passcodeOn(page)),
      shop,
      'ok',
    )
    for (const again of [await shop.get(page.action ?? ''), await typing(shop, page, '000000')]) {
      const fields = callbackFields(again, shop, 'ok')
      for (const name of ['mdStatus', 'md', 'xid', 'eci', 'cavv'])
        assert.equal(fields.get(name), first.get(name))
    }
  })

  it('who types in many windows at the same time has three attempts in all', async () => {
    const { shop } = await gateOnTest()
    const page = await shop.open(challenged, 'a')
    const pages = await Promise.all(Array.from({ length: 8 }, () => typing(shop, page, wrongFor(page))))
    assert.equal(pages.filter(({ action }) => action?.startsWith('/')).length, 2)
  })

  it('sees a page in the language of the form, without scripts, cookies or third parties', async () => {
    const { shop } = await gateOnTest()
    const terms = { amount: '1234567.80', taksit: '6' }
    for (const [lang, ...shown] of [
      ['tr', 'Ödemenizi onaylayın', '1.234.567,80 ₺', 'Mağaza no', '15.11.2026 09:30'],
      ['en', 'Confirm your payment', '₺1,234,567.80', 'Store no.', '15 Nov 2026, 09:30'],
    ] as const) {
      const page = await shop.open(challenged, `oid-${lang}`, { ...terms, lang })
      for (const text of shown) assert.ok(page.html.includes(text), text)
      assert.match(page.html, new RegExp(`<html lang="${lang}">`))
      assert.equal(page.html.match(/<input/g)?.length, 1)
      assert.doesNotMatch(page.html, /<script|https?:/)
      assert.equal(page.headers.get('set-cookie'), null)
      assert.match(
        page.policy,
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'self'$/,
      )
      const [confirm, cancel] = page.html.match(/<button[^>]*>/g) ?? []
      assert.ok(confirm && !confirm.includes('cancel') && cancel?.includes('value="cancel"'))
      passcodeOn(page)
    }
  })

  it('can switch the language, and the choice lasts until the end', async () => {
    const { shop } = await gateOnTest()
    const page = await shop.open(challenged, 'a')
    const [, link = ''] = /<a href="([^"]+)"/.exec(page.html) ?? []
    const english = await shop.get(link)
    assert.match(english.html, /<html lang="en">.*₺123\.45/s)
    assert.equal(passcodeOn(english), passcodeOn(page))
    const wrong = await typing(shop, english, wrongFor(page))
    assert.match(wrong.html, /The code is wrong\. Attempts left: 2</)
    const end = await typing(shop, wrong, passcodeOn(page))
    assert.match(end.html, /<html lang="en">/)
    assert.equal(callbackFields(end, shop, 'ok').get('mdStatus'), '1')
  })

  it('who opens an unknown session gets status 400', async () => {
    const { shop } = await gateOnTest()
    assert.equal((await shop.get('/fim/est3Dgate/abc')).status, 400)
  })
})

describe('a form', () => {
  it('that the shop did not sign is returned with mdStatus 7, and no session opens', async () => {
    const { shop } = await gateOnTest()
    const wrong = [
      shop.form(smooth, 'a').set('amount', '1.00'),
      shop.form(smooth, 'a').set('hash', ''),
      shop.form(smooth, 'a', { hashAlgorithm: 'ver1' }),
      new NestpayShop(shop.address, '190100000').form(smooth, 'a').set('clientid', shop.clientId),
    ]
    for (const form of wrong) {
      const fields = callbackFields(await shop.post('/fim/est3Dgate', form), shop, 'fail')
      assert.equal(fields.get('mdStatus'), '7')
      assert.equal(fields.get('ErrMsg'), '3D-1004 Guvenlik Kodu hatali')
      assert.ok(!fields.has('md') && !fields.has('xid'))
    }
  })

  it('with an unsupported store type or transaction type is returned with mdStatus 7', async () => {
    const { shop } = await gateOnTest()
    for (const terms of [{ storetype: '3d_pay' }, { storetype: 'x' }, { TranType: 'Credit' }]) {
      const fields = callbackFields(
        await shop.open(smooth, 'a', terms as Record<string, string>),
        shop,
        'fail',
      )
      assert.equal(fields.get('mdStatus'), '7')
      assert.equal(fields.get('ErrCode'), '3D-1007')
    }
  })

  it('with an invalid card or order is returned without an mdStatus', async () => {
    const { shop } = await gateOnTest()
    const wrong: [string, Record<string, string>][] = [
      ['5451030000000019', {}],
      ['', {}],
      [smooth, { cv2: '12' }],
      [smooth, { Ecom_Payment_Card_ExpDate_Month: '13' }],
    ]
    for (const [number, terms] of wrong) {
      const fields = callbackFields(await shop.open(number, 'a', terms), shop, 'fail')
      assert.ok(!fields.has('mdStatus'))
      const values = ['Response', 'ErrorCode', 'amount', 'Ecom_Payment_Card_ExpDate_Month'].map((name) =>
        fields.get(name),
      )
      assert.deepEqual(values, ['Error', 'HPP-1001', '0', '0'])
    }
    for (const terms of [
      { amount: '0.00' },
      { amount: '1,5' },
      { currency: '1' },
      { taksit: 'x' },
      { oid: '' },
    ]) {
      const fields = callbackFields(
        await shop.open(smooth, 'a', terms as Record<string, string>),
        shop,
        'fail',
      )
      assert.equal(fields.get('ErrorCode'), 'HPP-1002')
    }
  })

  it('without a valid return address or shop number ends on an error page', async () => {
    const { shop } = await gateOnTest()
    for (const terms of [{ okUrl: '' }, { failUrl: 'javascript:alert(1)' }, { clientid: '12345678' }]) {
      const page = await shop.open(smooth, 'a', terms as Record<string, string>)
      assert.equal(page.status, 400)
      assert.equal(page.action, undefined)
    }
  })

  it('in ISO-8859-9 is understood, and its fields are echoed unchanged', async () => {
    const { shop } = await gateOnTest()
    const form = shop.form(smooth, 'a', { firmaadi: 'Işık Şekercilik' })
    const escaped = (text: string) =>
      Array.from(encodeLatin5(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    const body = [...form].map((pair) => pair.map(escaped).join('=')).join('&')
    const fields = callbackFields(await shop.post('/fim/est3Dgate', Buffer.from(body)), shop, 'ok')
    assert.equal(fields.get('firmaadi'), 'Işık Şekercilik')
  })
})

it('no card number and no security code is in the tables, the log or the pages', async () => {
  const { shop, sql: own, lines } = await gateOnTest()
  const pages = [
    await shop.open(challenged, 'a', { cv2: '0391' }),
    await shop.open(smooth, 'b', { cv2: '0391' }),
  ]
  pages.push(await typing(shop, pages[0] as GatePage, passcodeOn(pages[0] as GatePage)))
  pages.push(await shop.open('5451030000000019', 'c', { cv2: '0391' }))
  await shop.charge((pages[1] as GatePage).fields, 'b')
  await shop.ask({
    Type: 'Auth',
    OrderId: 'd',
    Number: smooth,
    Expires: '12/30',
    Cvv2Val: '0391',
    Total: '1.00',
  })
  const tables = await own.many<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'sandbox'`)
  const rows: object[] = []
  for (const { name } of tables) {
    rows.push(...(await own.many({ text: `select t::text as row from ${name} t`, values: [] })))
  }
  assert.match(JSON.stringify(rows), /545103\*{6}0109/)
  const everything = JSON.stringify([rows, lines, pages.map(({ html }) => html)])
  for (const secret of [challenged, smooth, '5451030000000019']) assert.ok(!everything.includes(secret))
  assert.doesNotMatch(everything, /[^0-9a-zA-Z/+]0391[^0-9a-zA-Z/+]/)
})
