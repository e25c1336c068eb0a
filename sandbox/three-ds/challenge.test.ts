import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { findCards } from '../../testing/harness/card-search.ts'
import { WatchedClock } from '../../testing/harness/clock.ts'
import type { TestDatabase } from '../../testing/harness/database.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { AcsPage, Requestor, RequestorMessage } from '../../testing/three-ds/requestor.ts'
import {
  acsPageOf,
  base64urlJson,
  resultsResponseTo,
  testRequestor,
} from '../../testing/three-ds/requestor.ts'

const asking = '4000000000002503'
const minuteMs = 60_000

async function stage(database?: TestDatabase, clock = new WatchedClock()) {
  const { sql: own } = database ?? (await testDatabase())
  const lines: string[] = []
  const note = (fields: object, text: string) => lines.push(JSON.stringify([fields, text]))
  const log = { debug: note, info: note, warn: note, error: note }
  const bank = await testBank({ sql: own, clock, log })
  return { ...(await testRequestor(bank)), bank, clock, sql: own, lines }
}

async function opened({ send, request, open }: Requestor, number = asking, session?: string) {
  const authenticationRequest = request(number)
  const response = await send(authenticationRequest)
  assert.equal(response['transStatus'], 'C')
  const page = await open(response, session === undefined ? {} : { session })
  return { authenticationRequest, response, page, code: codeOn(page) }
}

/** The code is the only six digits in a row on the page. */
function codeOn(page: AcsPage): string {
  const [code = '', ...others] = page.codes
  assert.deepEqual([code.length, others], [6, []], page.text)
  return code
}

const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111')

describe('the page of a challenge', () => {
  it('shows the purchase and one code, has one field, and its first button confirms', async () => {
    const on = await stage()
    const { page } = await opened(on)
    assert.equal(page.status, 200)
    for (const shown of [
      'Sandbox Bank',
      '1.250,00 ₺',
      '15.11.2026 09:30',
      '•••• 2503',
      '&#60;123\u2060456\u20607&#62;',
    ]) {
      assert.ok(page.text.includes(shown), shown)
    }
    assert.equal(page.text.match(/<input type="text"/g)?.length, 1)
    assert.match(page.text, /<input type="text"[^>]* autofocus>/)
    const [first = ''] = page.text.match(/<button[^>]*>[^<]*/) ?? []
    assert.match(first, /type="submit".*value="confirm">Onayla/)
  })

  it('sets the focus in a window, but not in a frame, where browsers log a complaint', async () => {
    const on = await stage()
    const response = await on.send(on.request(asking))
    for (const [place, isFocused] of [
      ['document', true],
      ['iframe', false],
    ] as const) {
      const page = await on.open(response, { headers: { 'sec-fetch-dest': place } })
      assert.equal(/<input[^>]* autofocus/.test(page.text), isFocused, place)
    }
  })

  it('is in the language of the authentication, and its link switches the language', async () => {
    const on = await stage()
    const response = await on.send(on.request(asking, { browserLanguage: 'en-GB' }))
    const english = await on.open(response, {
      headers: { 'accept-language': 'tr-TR' },
      session: 'c2Vzc2lvbg',
    })
    assert.match(english.text, /<html lang="en">.*₺1,250\.00.*15 Nov 2026, 09:30/s)
    const [, link = ''] = /<a href="([^"]+)"/.exec(english.text) ?? []
    const turkish = await acsPageOf(
      await fetch(new URL(link.replaceAll('&#38;', '&'), `${on.bank.address}/acs/challenge`)),
    )
    assert.match(turkish.text, /<html lang="tr">/)
    assert.equal(codeOn(turkish), codeOn(english))
    assert.equal(turkish.hidden['session'], english.hidden['session'])
    const wrong = await on.answer(turkish, '1')
    assert.match(wrong.text, /<html lang="tr">.*Kalan deneme hakkınız: 2/s)
  })

  it('sets no cookie, runs no script, loads nothing from third parties and is not cached', async () => {
    const on = await stage()
    const { page } = await opened(on)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(page.text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    assert.equal(
      page.headers.get('content-security-policy'),
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'self'`,
    )
    assert.doesNotMatch(page.text, /<script|https?:|style=|url\(|@import/)
  })

  it('can be framed, except with the card whose bank forbids it', async () => {
    const on = await stage()
    const framed = await opened(on)
    assert.equal(framed.page.headers.get('x-frame-options'), null)
    const { page, code } = await opened(on, '4000000000003196')
    const end = await on.answer(page, code)
    for (const { headers } of [page, end]) {
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.match(String(headers.get('content-security-policy')), /; frame-ancestors 'none'$/)
    }
    assert.equal(end.completion?.['transStatus'], 'Y')
  })

  it('is the same for the same request in base64 and in base64url', async () => {
    const on = await stage()
    const { response, code } = await opened(on)
    const { threeDSServerTransID, acsTransID } = response
    const rest = { messageType: 'CReq', messageVersion: '2.2.0', challengeWindowSize: '01' }
    const json = JSON.stringify({ threeDSServerTransID, acsTransID, ...rest, more: '>>>???' })
    for (const creq of [Buffer.from(json).toString('base64'), Buffer.from(json).toString('base64url')]) {
      assert.equal(codeOn(await on.open(response, { creq })), code)
    }
  })

  it('gets status 404 for an unreadable request, an unknown transaction or mismatched ids', async () => {
    const on = await stage()
    const { response } = await opened(on)
    const { threeDSServerTransID, acsTransID } = response
    const right = { threeDSServerTransID, acsTransID, messageType: 'CReq', messageVersion: '2.2.0' }
    const creqs = [
      '',
      'x',
      base64urlJson(right),
      base64urlJson({ ...right, challengeWindowSize: '06' }),
      base64urlJson({ ...right, challengeWindowSize: '05', messageVersion: '2.3.1' }),
      base64urlJson({ ...right, challengeWindowSize: '05', messageType: 'CRes' }),
      base64urlJson({ ...right, challengeWindowSize: '05', threeDSServerTransID: acsTransID }),
      base64urlJson({ ...right, challengeWindowSize: '05', acsTransID: threeDSServerTransID }),
    ]
    for (const creq of creqs) {
      const page = await on.open(response, { creq })
      assert.deepEqual([page.status, page.codes], [404, []])
    }
    const unopened = await on.send(on.request(asking))
    const hidden = { transaction: String(unopened['acsTransID']) }
    const answered = await on.answer({ hidden } as unknown as AcsPage, '1')
    assert.equal(answered.status, 404)
  })
})

describe('a challenge', () => {
  it('ends with the right code, and the results arrive before the browser returns', async () => {
    const on = await stage()
    const { authenticationRequest, response, page, code } = await opened(on, asking, 'b3BhcXVlMTIzNDU2Nzg5MA')
    assert.equal(on.results.length, 0)
    const end = await on.answer(page, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    const { threeDSServerTransID, acsTransID, dsTransID } = response
    const { authenticationValue, ...results } = on.results[0] ?? {}
    assert.equal(on.results.length, 1)
    assert.deepEqual(results, {
      messageType: 'RReq',
      messageVersion: '2.2.0',
      messageCategory: '01',
      threeDSServerTransID,
      acsTransID,
      dsTransID,
      transStatus: 'Y',
      eci: '05',
      interactionCounter: '01',
      authenticationType: '02',
      authenticationMethod: '02',
    })
    assert.equal(Buffer.from(String(authenticationValue), 'base64').length, 20)
    assert.equal(end.action, authenticationRequest['notificationURL'])
    assert.equal(end.hidden['threeDSSessionData'], 'b3BhcXVlMTIzNDU2Nzg5MA')
    assert.match(String(end.hidden['cres']), /^[\w-]+$/)
    assert.deepEqual(end.completion, {
      threeDSServerTransID,
      acsTransID,
      messageType: 'CRes',
      messageVersion: '2.2.0',
      challengeCompletionInd: 'Y',
      transStatus: 'Y',
    })
    assert.match(end.text, /<button type="submit">/)
  })

  it('that has ended returns the same result for every later request, and its results are sent once', async () => {
    const on = await stage()
    const { response, page, code } = await opened(on)
    const end = await on.answer(page, code)
    const again = [
      await on.answer(page, wrongFor(code)),
      await on.answer(page, '', 'cancel'),
      await on.open(response),
    ]
    for (const { completion } of again) assert.deepEqual(completion, end.completion)
    await on.bank.processDue()
    assert.equal(on.results.length, 1)
  })

  it('ends with the third wrong code, and ignores a blank one', async () => {
    const on = await stage()
    const { page, code } = await opened(on)
    const wrong = wrongFor(code)
    assert.doesNotMatch((await on.answer(page, ' ')).text, /role="alert"/)
    for (const left of [2, 1]) {
      const next = await on.answer(page, wrong)
      assert.match(next.text, new RegExp(`role="alert">[^<]*${left}<`))
      assert.equal(codeOn(next), code)
    }
    const end = await on.answer(page, wrong)
    assert.equal(end.completion?.['transStatus'], 'N')
    const { transStatus, transStatusReason, interactionCounter, eci, challengeCancel } = on.results[0] ?? {}
    assert.deepEqual(
      [transStatus, transStatusReason, interactionCounter, eci, challengeCancel],
      ['N', '01', '03', '07', undefined],
    )
    assert.equal((await on.answer(page, code)).completion?.['transStatus'], 'N')
  })

  it('that the cardholder cancels ends with challengeCancel 01', async () => {
    const on = await stage()
    const { page } = await opened(on)
    const end = await on.answer(page, '', 'cancel')
    assert.equal(end.completion?.['transStatus'], 'N')
    const { transStatus, transStatusReason, challengeCancel, interactionCounter } = on.results[0] ?? {}
    assert.deepEqual(
      [transStatus, transStatusReason, challengeCancel, interactionCounter],
      ['N', '01', '01', '00'],
    )
  })

  it('in version 2.3.1 is reported in that version', async () => {
    const on = await stage()
    const response = await on.send(on.request(asking, { messageVersion: '2.3.1' }))
    const page = await on.open(response)
    const end = await on.answer(page, codeOn(page))
    assert.equal(end.completion?.['messageVersion'], '2.3.1')
    const { messageVersion, authenticationMethod } = on.results[0] ?? {}
    assert.deepEqual([messageVersion, authenticationMethod], ['2.3.1', ['02']])
  })

  it('that no browser opens within 30 seconds ends with challengeCancel 05', async () => {
    const on = await stage()
    const response = await on.send(on.request(asking))
    on.clock.advance(29_999)
    await on.bank.processDue()
    assert.equal(on.results.length, 0)
    on.clock.advance(1)
    await on.bank.processDue()
    await on.bank.processDue()
    assert.equal(on.results.length, 1)
    const { transStatus, transStatusReason, challengeCancel, interactionCounter } = on.results[0] ?? {}
    assert.deepEqual(
      [transStatus, transStatusReason, challengeCancel, interactionCounter],
      ['N', '14', '05', '00'],
    )
    assert.equal((await on.open(response)).completion?.['transStatus'], 'N')
  })

  it('that is not completed within ten minutes of its first opening ends with challengeCancel 04', async () => {
    const on = await stage()
    const { response, page, code } = await opened(on)
    on.clock.advance(5 * minuteMs)
    await on.open(response)
    await on.answer(page, wrongFor(code))
    on.clock.advance(5 * minuteMs - 1)
    await on.bank.processDue()
    assert.equal(on.results.length, 0)
    on.clock.advance(1)
    await on.bank.processDue()
    const { transStatus, transStatusReason, challengeCancel, interactionCounter } = on.results[0] ?? {}
    assert.deepEqual(
      [transStatus, transStatusReason, challengeCancel, interactionCounter],
      ['N', '14', '04', '01'],
    )
  })

  it('past its deadline refuses the right code, even before the overdue challenges are processed', async () => {
    const on = await stage()
    const { page, code } = await opened(on)
    on.clock.advance(10 * minuteMs)
    assert.equal((await on.answer(page, code)).completion?.['transStatus'], 'N')
    assert.equal(on.results[0]?.['challengeCancel'], '04')
  })
})

describe('results', () => {
  it('that are not acknowledged are sent three times, a second apart; then the browser returns anyway', async () => {
    const on = await stage()
    const { page, code } = await opened(on)
    const responses: (RequestorMessage | 'broken')[] = ['broken', {}, { messageType: 'RRes' }]
    on.answerResults(() => responses[on.results.length - 1] ?? 'broken')
    const pausing = () => on.clock.someoneSleeps(1_000)
    let pause = pausing()
    const ending = on.answer(page, code)
    for (const count of [1, 2]) {
      await pause
      assert.equal(on.results.length, count)
      pause = pausing()
      on.clock.advance(1_000)
    }
    assert.equal((await ending).completion?.['transStatus'], 'Y')
    on.clock.advance(minuteMs)
    await on.bank.processDue()
    assert.equal(on.results.length, 3)
    assert.deepEqual(new Set(on.results.map((each) => JSON.stringify(each))).size, 1)
  })

  it('that are answered with an error message are not sent again', async () => {
    const on = await stage()
    const { page, code } = await opened(on)
    on.answerResults(() => ({ messageType: 'Erro', errorCode: '301' }))
    assert.equal((await on.answer(page, code)).completion?.['transStatus'], 'Y')
    assert.equal(on.results.length, 1)
  })

  it('are sent by another instance if their sender is killed', async () => {
    const on = await stage()
    const { page, code, response } = await opened(on)
    await on.answer(page, code)
    const dueAt = new Date(on.clock.now().getTime() + 15_000)
    await on.sql.run(sql`update sandbox.authentications set results_due_at = ${dueAt}
      where acs_trans_id = ${response['acsTransID']}`)
    await on.bank.processDue()
    assert.equal(on.results.length, 1)
    on.clock.advance(15_000)
    await on.bank.processDue()
    assert.equal(on.results.length, 2)
  })
})

it('two instances on one database return the same answers, and send the results once when both get the right code', async () => {
  const database = await testDatabase()
  const clock = new WatchedClock()
  const [one, two] = [await stage(database, clock), await stage(database, clock)]
  const { response, page, code } = await opened(one)
  const other = await two.open({ ...response, acsURL: `${two.bank.address}/acs/challenge` })
  assert.equal(codeOn(other), code)
  const waits = clock.someoneSleeps(1_000)
  one.answerResults(async (results) => {
    await waits
    return resultsResponseTo(results)
  })
  const ends = [one.answer(page, code), two.answer(other, code)]
  await Promise.race(ends)
  clock.advance(1_000)
  const [first, second] = await Promise.all(ends)
  assert.deepEqual(first?.completion, second?.completion)
  assert.equal(first?.completion?.['transStatus'], 'Y')
  assert.equal(one.results.length, 1)
  await Promise.all([one.bank.processDue(), two.bank.processDue()])
  assert.equal(one.results.length, 1)
})

it('several instances can process due challenges at the same time, and each challenge ends once', async () => {
  const database = await testDatabase()
  const clock = new WatchedClock()
  const [one, two] = [await stage(database, clock), await stage(database, clock)]
  for (let count = 0; count < 5; count++) await one.send(one.request(asking))
  clock.advance(30_000)
  await Promise.all([one, two, one, two].map(({ bank }) => bank.processDue()))
  assert.equal(one.results.length, 5)
  assert.equal(new Set(one.results.map(({ acsTransID }) => acsTransID)).size, 5)
})

it('no card number is in the tables, the log or the pages', async () => {
  const on = await stage()
  const { page, code } = await opened(on)
  const end = await on.answer(page, code)
  await on.send(on.request('4000000000002701'))
  await on.send(on.request('4000000000002701', { mcc: undefined }))
  assert.deepEqual(await findCards(on.sql, [...on.lines, page.text, end.text]), [])
  const rows = await on.sql.many<{ card: string }>(sql`select card from sandbox.authentications`)
  assert.deepEqual(rows.map(({ card }) => card).toSorted(), ['400000******2503', '400000******2701'])
})
