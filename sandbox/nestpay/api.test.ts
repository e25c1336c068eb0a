import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiAnswer } from '../../testing/connectors/nestpay-shop.ts'
import { NestpayShop } from '../../testing/connectors/nestpay-shop.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'

const smooth = '5451030000000018'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

async function bankOnTest() {
  const { sql } = await testDatabase()
  const clock = new TestClock()
  const bank = await testBank({ sql, clock })
  return { ...bank, shop: new NestpayShop(bank.address), clock }
}

/** An answer as one word: `Approved`, the bank's code, or the gateway's code. */
function wordOf(answer: ApiAnswer): string {
  if (answer.get('ProcReturnCode') === '00') return answer.get('Response') ?? ''
  const code = answer.get('ERRORCODE') ?? ''
  assert.equal(answer.get('Response'), answer.get('ProcReturnCode') === '99' ? 'Error' : 'Declined')
  return code
}

const all = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('a shop', () => {
  it('is enrolled with its first name and password, and every other pair is refused', async () => {
    const { shop, address, book } = await bankOnTest()
    assert.equal(wordOf(await shop.pay(smooth, 'a')), 'Approved')
    for (const other of [{ Password: 'another' }, { Name: 'OTHER' }, { Password: '' }, { ClientId: '12' }]) {
      const answer = await shop.ask({ Type: 'Void', OrderId: 'a', ...(other as Record<string, string>) })
      assert.equal(wordOf(answer), 'CORE-2312')
      assert.equal(answer.get('ProcReturnCode'), '99')
    }
    const stranger = new NestpayShop(address, '190100000')
    assert.equal(wordOf(await stranger.void('a')), 'CORE-2008', 'a shop knows its own orders alone')
    assert.deepEqual(
      (await book()).map(({ terminal, reference, taken }) => [terminal, reference, taken]),
      [[shop.clientId, 'a', 12_345]],
    )
  })

  it('gets an error in ISO-8859-9 for an unreadable request', async () => {
    const { shop } = await bankOnTest()
    const answer = await shop.send('<CC5Request>')
    assert.equal(answer.type, 'text/xml; charset=ISO-8859-9')
    assert.match(answer.text, /^<\?xml version="1.0" encoding="ISO-8859-9"\?>\n<CC5Response>/)
    assert.equal(answer.get('ErrMsg'), 'İstek okunamadı. Lütfen XML yapısını kontrol ediniz.')
    assert.equal(wordOf(await shop.ask({ Type: 'Refund', OrderId: 'a' })), 'CORE-2001')
    assert.equal(wordOf(await shop.ask({ Type: 'Void' })), 'CORE-2301')
  })
})

describe('a charge', () => {
  it('is approved with the proof of the gate', async () => {
    const { shop, line } = await bankOnTest()
    const answer = await shop.pay(smooth, 'a')
    assert.equal(answer.get('Response'), 'Approved')
    assert.match(answer.get('AuthCode') ?? '', /^\d{6}$/)
    assert.match(answer.get('HostRefNum') ?? '', /^\d{12}$/)
    assert.match(answer.get('TransId') ?? '', /^26319[A-Z][0-9A-Z]{8}$/)
    assert.equal(answer.get('TRXDATE'), '20261115 09:30:00')
    assert.equal(answer.get('ERRORCODE'), '')
    assert.deepEqual(await line('a'), {
      terminal: shop.clientId,
      reference: 'a',
      kind: 'sale',
      code: '00',
      held: 0,
      taken: 12_345,
      refunded: 0,
      operations: ['authorized'],
    })
  })

  it('is made once per authentication, even when requests arrive at the same time', async () => {
    const { shop, line } = await bankOnTest()
    const fields = await shop.authenticate(smooth, 'a')
    const answers = await all(8, () => shop.charge(fields, 'a'))
    assert.deepEqual(answers.map(wordOf).toSorted(), ['Approved', ...Array(7).fill('CORE-2127')])
    const refused = answers.find((answer) => wordOf(answer) !== 'Approved')
    assert.equal(refused?.get('ErrMsg'), 'XID daha önce kullanılmıştır. Tekrar kullanılamaz.')
    assert.equal(refused?.get('ProcReturnCode'), '99')
    assert.deepEqual((await line('a'))?.operations, ['authorized'])
  })

  it('is made once per order, even when several payers are charged at the same time', async () => {
    const { shop, line } = await bankOnTest()
    const fields = await all(4, () => shop.authenticate(smooth, 'a'))
    const answers = await Promise.all(fields.map((each) => shop.charge(each, 'a')))
    assert.deepEqual(answers.map(wordOf).toSorted(), ['Approved', ...Array(3).fill('CORE-2507')])
    assert.deepEqual((await line('a'))?.operations, ['authorized'])
  })

  it('that differs from the authenticated purchase is refused, and leaves the authentication usable', async () => {
    const { shop, book } = await bankOnTest()
    const fields = await shop.authenticate(smooth, 'a')
    const wrong: [Record<string, string>, string][] = [
      [{ Total: '123.46' }, 'CORE-2129'],
      [{ OrderId: 'b' }, 'CORE-2129'],
      [{ Currency: '840' }, 'CORE-2119'],
      [{ Taksit: '3' }, 'CORE-2601'],
      [{ PayerTxnId: 'x' }, 'CORE-2121'],
      [{ PayerSecurityLevel: '05' }, 'CORE-2121'],
      [{ PayerAuthenticationCode: '' }, 'CORE-2121'],
      [{ Number: smooth }, 'CORE-2012'],
      [{ Total: '' }, 'CORE-2007'],
      [{ Currency: '' }, 'CORE-2106'],
      [{ Mode: 'T' }, 'CORE-2001'],
    ]
    for (const [terms, expected] of wrong)
      assert.equal(wordOf(await shop.charge(fields, 'a', terms)), expected)
    const stranger = new NestpayShop(shop.address, '190100000')
    assert.equal(wordOf(await stranger.charge(fields, 'a')), 'CORE-2012')
    assert.deepEqual(await book(), [])
    assert.equal(wordOf(await shop.charge(fields, 'a')), 'Approved')
  })

  it('of an unauthenticated payer is refused', async () => {
    const { shop, book } = await bankOnTest()
    for (const number of ['5451030000001008', '5451030000001057']) {
      const fields = await shop.authenticate(number, number)
      assert.equal(wordOf(await shop.charge(fields, number)), 'CORE-2206')
    }
    assert.deepEqual(await book(), [])
  })

  it('with more installments than the bank offers is refused', async () => {
    const { shop } = await bankOnTest()
    for (const [taksit, expected] of [
      ['12', 'Approved'],
      ['13', 'CORE-2603'],
    ] as const) {
      const fields = await shop.authenticate(smooth, taksit, { taksit })
      assert.equal(wordOf(await shop.charge(fields, taksit, { Taksit: taksit })), expected)
    }
  })

  it('that the issuer declines has no AuthCode, and has its code beside Extra', async () => {
    const { shop } = await bankOnTest()
    const answer = await shop.pay('4111111111111129', 'a')
    assert.equal(answer.get('Response'), 'Declined')
    assert.equal(answer.get('ProcReturnCode'), '51')
    assert.equal(answer.get('ErrMsg'), 'Yetersiz bakiye')
    assert.equal(answer.get('AuthCode'), undefined)
    assert.match(answer.text, /<ERRORCODE>ISO8583-51<\/ERRORCODE>\n<Extra>/)
    const refused = await shop.void('a')
    assert.equal(refused.get('AuthCode'), '')
    assert.match(refused.text, /<Extra>.*<ERRORCODE>CORE-2008<\/ERRORCODE>/s)
    const expired = await shop.authenticate(smooth, 'b', { Ecom_Payment_Card_ExpDate_Year: '25' })
    assert.equal((await shop.charge(expired, 'b')).get('ProcReturnCode'), '54')
  })
})

describe('a pre-authorization', () => {
  const hold = async (shop: NestpayShop, oid: string) => shop.pay(smooth, oid, { Type: 'PreAuth' })
  const post = (shop: NestpayShop, oid: string, total: string) =>
    shop.ask({ Type: 'PostAuth', OrderId: oid, Total: total })

  it('is captured once, in full or in part', async () => {
    const { shop, line } = await bankOnTest()
    assert.equal(wordOf(await hold(shop, 'a')), 'Approved')
    assert.equal((await line('a'))?.held, 12_345)
    assert.equal(wordOf(await post(shop, 'a', '123.46')), 'CORE-2505')
    assert.equal(wordOf(await post(shop, 'a', '0.00')), 'CORE-2007')
    const answers = await all(4, () => post(shop, 'a', '100.00'))
    assert.deepEqual(answers.filter((answer) => wordOf(answer) === 'Approved').length, 1)
    const { held, taken, operations } = (await line('a')) ?? {}
    assert.deepEqual([held, taken, operations], [0, 10_000, ['held', 'captured']])
    assert.equal(wordOf(await post(shop, 'never', '1.00')), 'CORE-2509')
  })

  it('is released by a void, and cannot be refunded', async () => {
    const { shop, clock, line } = await bankOnTest()
    await hold(shop, 'a')
    assert.equal((await shop.status('a')).get('TRANS_STAT'), 'A')
    assert.equal((await shop.status('a')).get('CAPTURE_AMT'), '')
    assert.equal(wordOf(await shop.credit('a', '1.00')), 'CORE-2508')
    clock.advance(2 * dayMs)
    assert.equal(wordOf(await shop.void('a')), 'Approved')
    assert.equal((await line('a'))?.held, 0)
    assert.equal((await shop.status('a')).get('TRANS_STAT'), 'V')
  })
})

describe('a void', () => {
  it('reverses the whole order once, until midnight in Istanbul, by the order number or by the transaction id', async () => {
    const { shop, clock, line } = await bankOnTest()
    clock.advance(14 * hourMs)
    const paid = await all(3, (index) => shop.pay(smooth, `order-${index}`))
    clock.advance(hourMs / 2 - 1)
    assert.equal(wordOf(await shop.void('order-0')), 'Approved')
    assert.equal(wordOf(await shop.void('order-0')), 'CORE-2008')
    const transaction = await shop.ask({ Type: 'Void', TransId: paid[1]?.get('TransId') ?? '' })
    assert.equal(wordOf(transaction), 'Approved')
    assert.equal(transaction.get('OrderId'), 'order-1')
    clock.advance(1)
    assert.equal(wordOf(await shop.void('order-2')), 'CORE-2008')
    const taken = await all(3, async (index) => (await line(`order-${index}`))?.taken)
    assert.deepEqual(taken, [0, 0, 12_345])
  })

  it('of an unknown order is refused', async () => {
    const { shop } = await bankOnTest()
    for (const fields of [{ OrderId: 'never' }, { TransId: '26319A00000000' }]) {
      const answer = await shop.ask({ Type: 'Void', ...(fields as Record<string, string>) })
      assert.equal(wordOf(answer), 'CORE-2008')
      assert.equal(answer.get('ErrMsg'), 'İptal edilmeye uygun satış işlemi bulunamadı.')
    }
  })
})

describe('a refund', () => {
  it('is refused until the bank’s day has ended; after that it can be partial, and never exceeds the amount left', async () => {
    const { shop, clock, line } = await bankOnTest()
    await shop.pay(smooth, 'a')
    const early = await shop.credit('a', '123.45')
    assert.equal(wordOf(early), 'CORE-2508')
    assert.equal(early.get('ErrMsg'), 'Iade yapilamaz, siparis gunsonuna girmemis.')
    clock.advance(dayMs)
    assert.equal(wordOf(await shop.credit('a', '0.00')), 'CORE-2504')
    assert.equal(wordOf(await shop.credit('a', '123.46')), 'CORE-2503')
    assert.equal(wordOf(await shop.credit('never', '1.00')), 'CORE-2123')
    const foreign = await shop.ask({ Type: 'Credit', OrderId: 'a', Total: '1.00', Currency: '840' })
    assert.equal(wordOf(foreign), 'CORE-2119')
    for (let turn = 0; turn < 2; turn++) assert.equal(wordOf(await shop.credit('a', '50.00')), 'Approved')
    assert.equal(wordOf(await shop.void('a')), 'CORE-2008')
    assert.equal(wordOf(await shop.credit('a', '23.46')), 'CORE-2503')
    assert.equal(wordOf(await shop.credit('a', '23.45')), 'Approved')
    const nothing = await shop.credit('a', '0.01')
    assert.equal(wordOf(nothing), '215021')
    assert.match(nothing.text, /<ERRORCODE>215021<\/ERRORCODE>\n<Extra>/)
    assert.equal((await line('a'))?.taken, 0)
  })

  it('never returns more than was taken, even when requests arrive at the same time', async () => {
    const { shop, clock, line } = await bankOnTest()
    await shop.pay(smooth, 'a')
    clock.advance(dayMs)
    const answers = await all(8, () => shop.credit('a', '50.00'))
    assert.deepEqual(answers.map(wordOf).toSorted(), ['Approved', 'Approved', ...Array(6).fill('CORE-2503')])
    assert.equal((await line('a'))?.taken, 2_345)
  })
})

describe('a query', () => {
  it('returns the status of an order, in minor units', async () => {
    const { shop, clock } = await bankOnTest()
    const fields = await shop.authenticate(smooth, 'a')
    const paid = await shop.charge(fields, 'a')
    const orderStatus = await shop.status('a')
    const expected = {
      ErrMsg: 'Record(s) found for a',
      ProcReturnCode: '00',
      ORD_ID: 'a',
      TRANS_ID: paid.get('TransId'),
      CHARGE_TYPE_CD: 'S',
      TRANS_STAT: 'C',
      ORIG_TRANS_AMT: '12345',
      CAPTURE_AMT: '12345',
      AUTH_DTTM: '2026-11-15 09:30:00.000',
      VOID_DTTM: undefined,
      AUTH_CODE: paid.get('AuthCode'),
      HOST_REF_NUM: paid.get('HostRefNum'),
      PAN: '5451 03** **** 0018',
      PROC_RET_CD: '00',
      XID_3D: fields.get('xid'),
      CAVV_3D: fields.get('cavv'),
      MDSTATUS: '1',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(orderStatus.get(name), value, name)
    assert.match(
      orderStatus.get('ORDERSTATUS') ?? '',
      /^ORD_ID:a\tCHARGE_TYPE_CD:S\tORIG_TRANS_AMT:12345\tCAPTURE_AMT:12345\tTRANS_STAT:C\t/,
    )
    clock.advance(dayMs)
    assert.equal((await shop.status('a')).get('TRANS_STAT'), 'S')
    await shop.credit('a', '23.45')
    const refunded = await shop.status('a')
    assert.deepEqual(
      ['CHARGE_TYPE_CD', 'TRANS_STAT', 'ORIG_TRANS_AMT'].map((name) => refunded.get(name)),
      ['C', 'C', '2345'],
      'what was done last',
    )
  })

  it('returns voided and declined orders, and reports unknown ones', async () => {
    const { shop } = await bankOnTest()
    await shop.pay(smooth, 'voided')
    await shop.void('voided')
    const voided = await shop.status('voided')
    assert.equal(voided.get('TRANS_STAT'), 'V')
    assert.equal(voided.get('VOID_DTTM'), '2026-11-15 09:30:00.000')
    await shop.pay('4111111111111129', 'declined')
    const refused = await shop.status('declined')
    assert.deepEqual([refused.get('TRANS_STAT'), refused.get('PROC_RET_CD')], ['D', '51'])
    const nobody = await shop.status('never')
    assert.equal(nobody.get('ErrMsg'), 'No record found for never')
    assert.equal(nobody.get('TRANS_STAT'), undefined)
  })

  it('lists all transactions of an order, the latest first', async () => {
    const { shop, clock } = await bankOnTest()
    const paid = await shop.pay(smooth, 'a')
    clock.advance(dayMs)
    await shop.credit('a', '10.00')
    clock.advance(1_500)
    await shop.credit('a', '5.00')
    const history = await shop.ask({ OrderId: 'a' }, { ORDERHISTORY: 'QUERY' })
    assert.equal(history.get('TRXCOUNT'), '3')
    const lines = ['TRX1', 'TRX2', 'TRX3'].map((name) => (history.get(name) ?? '').split('\t'))
    assert.deepEqual(
      lines.map((parts) => parts.slice(0, 4)),
      [
        ['C', 'C', '500', '500'],
        ['C', 'C', '1000', '1000'],
        ['S', 'S', '12345', '12345'],
      ],
    )
    assert.deepEqual(lines[2]?.slice(4), [
      '2026-11-15 09:30:00.000',
      '2026-11-15 09:30:00.000',
      '',
      paid.get('HostRefNum'),
      paid.get('AuthCode'),
      '00',
      paid.get('TransId'),
    ])
    assert.equal(lines[0]?.[4], '2026-11-16 09:30:01.500')
    assert.equal(new Set(lines.map((parts) => parts[10])).size, 3)
  })
})
