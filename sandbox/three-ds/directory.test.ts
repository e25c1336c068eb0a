import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { RequestorMessage } from '../../testing/three-ds/requestor.ts'
import { testRequestor, uuid } from '../../testing/three-ds/requestor.ts'
import { authenticationCards } from '../index.ts'

const frictionless = '4000000000002701'

async function stage() {
  const { sql: own } = await testDatabase()
  const clock = new TestClock()
  const bank = await testBank({ sql: own, clock })
  return { ...(await testRequestor(bank)), bank, clock, sql: own }
}

const preparation = (other: RequestorMessage = {}) => ({
  messageType: 'PReq',
  messageVersion: '2.2.0',
  threeDSServerRefNumber: 'A-STRANGER',
  threeDSServerTransID: uuid(),
  ...other,
})

interface Range {
  startRange: string
  endRange: string
  acsEndProtocolVersion: string
  threeDSMethodURL?: string
}

const rangesWith = (ranges: Range[], number: string) =>
  ranges.filter(
    ({ startRange, endRange }) =>
      startRange.length === number.length && startRange <= number && number <= endRange,
  )

describe('a preparation request', () => {
  it('is answered with ranges that do not overlap and cover every card number except those not enrolled', async () => {
    const { send, bank } = await stage()
    const request = preparation()
    const { cardRangeData, serialNum, dsTransID, ...rest } = await send(request)
    assert.deepEqual(rest, {
      messageType: 'PRes',
      messageVersion: '2.2.0',
      threeDSServerTransID: request.threeDSServerTransID,
      dsStartProtocolVersion: '2.2.0',
      dsEndProtocolVersion: '2.3.1',
    })
    assert.match(String(dsTransID), /^[0-9a-f-]{36}$/)
    assert.match(String(serialNum), /^.{1,20}$/)
    const ranges = cardRangeData as Range[]
    const sorted = ranges.toSorted((one, two) => (BigInt(one.startRange) < BigInt(two.startRange) ? -1 : 1))
    for (const [index, { startRange, endRange }] of sorted.entries()) {
      assert.match(startRange, /^\d{13,19}$/)
      assert.ok(BigInt(startRange) <= BigInt(endRange) && startRange.length === endRange.length)
      const next = sorted[index + 1]
      if (next) assert.ok(BigInt(endRange) < BigInt(next.startRange))
    }
    for (const { number, expected } of authenticationCards) {
      const [range, ...others] = rangesWith(ranges, number)
      assert.equal(others.length, 0)
      assert.equal(range === undefined, expected.status === 'none', number)
      const methods = { none: undefined, heard: '/acs/method', silent: '/acs/method/silent' }
      const method = expected.method && methods[expected.method]
      assert.equal(range?.threeDSMethodURL, method && bank.address + method, number)
    }
    const some = [
      '4111111111116',
      '30569309025904',
      '371449635398431',
      '6221558812340000',
      '6501700000000003',
    ]
    for (const number of [...some, '2223000048400011', '9792030394440796', '4000000000000000006']) {
      assert.equal(rangesWith(ranges, number).length, 1, number)
    }
    assert.equal(rangesWith(ranges, '340000000002708')[0]?.acsEndProtocolVersion, '2.2.0')
  })

  it('with the current serial number gets no ranges, and with any other serial number error 307', async () => {
    const { send } = await stage()
    const { serialNum } = await send(preparation())
    const again = await send(preparation({ serialNum, messageVersion: '2.3.1' }))
    assert.deepEqual(
      [again['messageType'], again['serialNum'], again['cardRangeData']],
      ['PRes', serialNum, undefined],
    )
    const error = await send(preparation({ serialNum: '1' }))
    assert.deepEqual([error['messageType'], error['errorCode']], ['Erro', '307'])
  })
})

describe('an error message', () => {
  it('contains the code, the fields, the message type and the transaction id', async () => {
    const { send, request } = await stage()
    const wrong = request(frictionless, { mcc: undefined, notificationURL: undefined, email: '' })
    const { errorDescription, ...error } = await send(wrong)
    assert.deepEqual(error, {
      messageType: 'Erro',
      messageVersion: '2.2.0',
      errorCode: '201',
      errorComponent: 'D',
      errorDetail: 'mcc,notificationURL',
      errorMessageType: 'AReq',
      threeDSServerTransID: wrong['threeDSServerTransID'],
    })
    assert.equal(typeof errorDescription, 'string')
  })

  const cases: [string, RequestorMessage | string, string, string?][] = [
    ['no JSON', 'x', '101'],
    ['a list', '[]', '101'],
    ['nothing', '', '101'],
    ['no kind', { messageType: undefined }, '101', 'messageType'],
    ['another kind', { messageType: 'CReq' }, '101', 'messageType'],
    ['no version', { messageVersion: undefined }, '201', 'messageVersion'],
    ['a version that is none', { messageVersion: 'two' }, '203', 'messageVersion'],
    ['2.1.0', { messageVersion: '2.1.0' }, '102', '2.2.0,2.3.1'],
    ['2.3.0', { messageVersion: '2.3.0' }, '102', '2.2.0,2.3.1'],
    ['an id that is none', { threeDSServerTransID: '7' }, '203', 'threeDSServerTransID'],
    ['an empty name', { merchantName: '' }, '203', 'merchantName'],
    ['a long name', { merchantName: 'x'.repeat(41) }, '203', 'merchantName'],
    ['a number with spaces', { acctNumber: '4000 0000 0000 2701' }, '203', 'acctNumber'],
    ['an amount with a point', { purchaseAmount: '1250.00' }, '203', 'purchaseAmount'],
    ['a day on no calendar', { purchaseDate: '20260230120000' }, '203', 'purchaseDate'],
    ['no currency of that number', { purchaseCurrency: '000' }, '304', 'purchaseCurrency'],
    ['gold', { purchaseCurrency: '959' }, '304', 'purchaseCurrency'],
    ['a country for private use', { merchantCountryCode: '901' }, '304', 'merchantCountryCode'],
    ['letters of a country', { merchantCountryCode: 'TR' }, '203', 'merchantCountryCode'],
    ['a trade that is none', { mcc: '0000' }, '306', 'mcc'],
    ['a relative address', { notificationURL: '/back' }, '203', 'notificationURL'],
    ['a language too long for 2.2', { browserLanguage: 'en-GB-oxendict' }, '203', 'browserLanguage'],
    [
      'scripts, and nothing that they find out',
      { browserJavascriptEnabled: true },
      '201',
      'browserJavaEnabled,browserColorDepth,browserScreenHeight,browserScreenWidth,browserTZ',
    ],
    ['thirty bits of colour', { browserColorDepth: '30' }, '203', 'browserColorDepth'],
    ['a flag in words', { browserJavascriptEnabled: 'false' }, '203', 'browserJavascriptEnabled'],
    [
      'a wish of later versions',
      { threeDSRequestorChallengeInd: '10' },
      '203',
      'threeDSRequestorChallengeInd',
    ],
    ['a channel that is not served', { deviceChannel: '01' }, '203', 'deviceChannel'],
    ['a state of no country', { billAddrState: '34' }, '201', 'billAddrCountry'],
    ['half a whitelist', { whiteListStatus: 'Y' }, '201', 'whiteListStatusSource'],
    [
      'installments without their number',
      { threeDSRequestorAuthenticationInd: '03', recurringExpiry: '20271115', recurringFrequency: '30' },
      '201',
      'purchaseInstalData',
    ],
    [
      'one installment',
      {
        threeDSRequestorAuthenticationInd: '03',
        recurringExpiry: '20271115',
        recurringFrequency: '30',
        purchaseInstalData: '1',
      },
      '203',
      'purchaseInstalData',
    ],
    [
      'an extension that must be understood',
      { messageExtension: [{ name: 'a', id: 'b', criticalityIndicator: true, data: {} }] },
      '202',
      'b',
    ],
    ['extensions that are no list', { messageExtension: {} }, '203', 'messageExtension'],
    ['a card that is not enrolled', { acctNumber: '4000000000002990' }, '305', 'acctNumber'],
  ]

  it('answers every invalid message and names the error', async () => {
    const { send, request, sql: own } = await stage()
    for (const [what, other, code, detail] of cases) {
      const error = await send(typeof other === 'string' ? other : request(frictionless, other))
      assert.deepEqual([error['messageType'], error['errorCode']], ['Erro', code], what)
      if (detail !== undefined) assert.equal(error['errorDetail'], detail, what)
      // Four digits alone can occur in an id by chance.
      assert.ok(!/0000 ?2701/.test(JSON.stringify(error)), 'no number of a card')
    }
    assert.deepEqual(await own.many(sql`select from sandbox.authentications`), [])
  })

  it('answers an invalid preparation request', async () => {
    const { send } = await stage()
    for (const [other, code, detail] of [
      [
        { threeDSServerRefNumber: undefined, threeDSServerTransID: undefined },
        '201',
        'threeDSServerTransID,threeDSServerRefNumber',
      ],
      [{ threeDSServerTransID: 'x' }, '203', 'threeDSServerTransID'],
      [{ serialNum: 'x'.repeat(21) }, '203', 'serialNum'],
      [{ messageVersion: '2.1.0' }, '102', '2.2.0,2.3.1'],
    ] as const) {
      const error = await send(preparation(other))
      assert.deepEqual([error['errorCode'], error['errorDetail']], [code, detail])
    }
  })

  it('from the 3DS Server gets an empty answer and is stored', async () => {
    const { send, request, sql: own } = await stage()
    const { threeDSServerTransID, acsTransID, dsTransID } = await send(request('4000000000003162'))
    const ids = { threeDSServerTransID, acsTransID, dsTransID }
    const error = { messageType: 'Erro', messageVersion: '2.2.0', errorCode: '203', ...ids }
    assert.deepEqual(await send(error), {})
    assert.deepEqual(await own.one(sql`select error_code as "errorCode" from sandbox.authentications`), {
      errorCode: '203',
    })
  })
})

describe('an authentication request', () => {
  it('in version 2.3.1 with all browser data is answered in that version', async () => {
    const { send, request } = await stage()
    const whole = request('5200000000002235', {
      messageVersion: '2.3.1',
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserColorDepth: '24',
      browserScreenHeight: '1080',
      browserScreenWidth: '1920',
      browserTZ: '-180',
      browserIP: '2001:db8::7',
      browserLanguage: 'en-GB-oxendict',
      acceptLanguage: ['tr'],
      threeDSRequestorChallengeInd: '10',
      cardholderName: 'Işık Öztürk',
      mobilePhone: { cc: '90', subscriber: '5321234567' },
      billAddrCountry: '792',
      billAddrState: '34',
      purchaseCurrency: '978',
      messageExtension: [{ name: 'a', id: 'b', criticalityIndicator: false, data: {} }],
    })
    const { acsTransID, dsTransID, authenticationValue, ...rest } = await send(whole)
    assert.deepEqual(rest, {
      messageType: 'ARes',
      messageVersion: '2.3.1',
      threeDSServerTransID: whole['threeDSServerTransID'],
      acsReferenceNumber: 'SANDBOX-BANK-ACS',
      acsOperatorID: 'SANDBOX-BANK',
      dsReferenceNumber: 'SANDBOX-DS',
      transStatus: 'Y',
      eci: '02',
    })
    for (const id of [acsTransID, dsTransID]) {
      assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    assert.equal(Buffer.from(String(authenticationValue), 'base64').length, 20)
  })

  it('is challenged with a mandate, never with data share only, and gets status I only with an indicator that allows it', async () => {
    const { send, request } = await stage()
    const statusOf = async (number: string, indicator?: string) => {
      const { transStatus, eci } = await send(request(number, { threeDSRequestorChallengeInd: indicator }))
      return eci === undefined ? transStatus : `${transStatus} ${eci}`
    }
    assert.equal(await statusOf(frictionless, '04'), 'C')
    assert.equal(await statusOf('4111111111111129', '04'), 'C')
    assert.equal(await statusOf('4000000000002719', '04'), 'A 06')
    assert.equal(await statusOf('4000000000002503', '06'), 'I 07')
    assert.equal(await statusOf('4000000000002503', '05'), 'C')
    for (const indicator of ['05', '06', '07'])
      assert.equal(await statusOf('4000000000002024', indicator), 'I 07')
    assert.equal(await statusOf('5200000000002805', '06'), 'I 04')
    assert.equal(await statusOf('5200000000002805', '05'), 'I 06')
    assert.equal(await statusOf('4000000000002024'), 'U 07')
  })

  it('with a number that fails the Luhn check gets status N with reason 06', async () => {
    const { send, request } = await stage()
    const { transStatus, transStatusReason } = await send(request('4000000000002702'))
    assert.deepEqual([transStatus, transStatusReason], ['N', '06'])
  })
})

describe('the 3DS Method page', () => {
  it('posts the transaction id to the notification address; the silent one posts nothing', async () => {
    const { bank } = await stage()
    const threeDSServerTransID = uuid()
    const data = { threeDSServerTransID, threeDSMethodNotificationURL: 'http://localhost:4243/heard?a=1&b=2' }
    const threeDSMethodData = Buffer.from(JSON.stringify(data)).toString('base64')
    const show = async (path: string, fields: Record<string, string>) => {
      const answer = await fetch(bank.address + path, { method: 'POST', body: new URLSearchParams(fields) })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('set-cookie'), null)
      return answer.text()
    }
    const page = await show('/acs/method', { threeDSMethodData })
    assert.match(page, /action="http:\/\/localhost:4243\/heard\?a=1&#38;b=2"/)
    const [, methodData = ''] = /name="threeDSMethodData" value="([\w-]+)"/.exec(page) ?? []
    assert.deepEqual(JSON.parse(Buffer.from(methodData, 'base64url').toString()), { threeDSServerTransID })
    assert.doesNotMatch(await show('/acs/method/silent', { threeDSMethodData }), /<form/)
    assert.doesNotMatch(await show('/acs/method', { threeDSMethodData: 'x' }), /<form/)
  })
})
