import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NoHttpResponse } from '../../../kit/outbound/http-client.ts'
import {
  approvedXmlAnswer,
  bankAnswering,
  gatewayErrorAnswer,
  historyAnswer,
  historyLine,
  modification,
  orderFoundAnswer,
  orderNotFoundAnswer,
  outcomeOrReason,
  reference,
  refund,
  xmlAnswer,
} from '../../../testing/connectors/nestpay-answers.ts'

describe('a capture', () => {
  it('captures the requested amount; a repeated one that was done without an answer is approved', async () => {
    const { bank, sent } = bankAnswering(approvedXmlAnswer)
    const response = await bank.capture?.({ ...modification, amountMinor: 9900 })
    assert.ok(response?.outcome === 'approved')
    assert.match(sent[0]?.body ?? '', /<Type>PostAuth<\/Type><Total>99.00<\/Total><\/CC5Request>/)
    const again = (queryResponse: string) =>
      bankAnswering(gatewayErrorAnswer('CORE-2509'), queryResponse).bank.capture?.(modification)
    assert.equal(outcomeOrReason(await again(orderFoundAnswer())), 'approved')
    assert.equal(outcomeOrReason(await again(orderFoundAnswer({ CAPTURE_AMT: '9995' }))), 'nothing_to_undo')
    assert.equal(outcomeOrReason(await again(orderNotFoundAnswer)), 'nothing_to_undo')
    assert.equal(outcomeOrReason(await again('nothing')), 'unknown')
  })

  it('of more than the hold is declined', async () => {
    assert.equal(
      outcomeOrReason(await bankAnswering(gatewayErrorAnswer('CORE-2505')).bank.capture?.(modification)),
      'invalid_transaction',
    )
  })
})

describe('a void', () => {
  const voided = async (...answers: (string | NoHttpResponse)[]) =>
    outcomeOrReason(await bankAnswering(...answers).bank.void?.(modification))

  it('that the bank declines is followed by a query: a charge that still exists is settled, otherwise there is nothing to undo', async () => {
    const refusal = gatewayErrorAnswer('CORE-2008', { OrderId: '' })
    assert.equal(await voided(approvedXmlAnswer), 'approved')
    assert.equal(await voided(refusal, orderFoundAnswer({ TRANS_STAT: 'S' })), 'already_settled')
    assert.equal(await voided(refusal, orderFoundAnswer({ TRANS_STAT: 'V' })), 'nothing_to_undo')
    assert.equal(await voided(refusal, orderNotFoundAnswer), 'nothing_to_undo')
    assert.equal(
      await voided(refusal, new NoHttpResponse('late', { mayHaveArrived: true })),
      'nothing_to_undo',
    )
  })

  it('is unknown while the bank is busy with the order', async () => {
    assert.equal(await voided(gatewayErrorAnswer('CORE-2304')), 'unknown')
  })
})

describe('a refund', () => {
  const sale = historyLine('S', 'S', 10_000)

  it('is sent only if the bank’s refunded sum equals the one in our ledger', async () => {
    const first = bankAnswering(historyAnswer(sale), approvedXmlAnswer)
    assert.equal(outcomeOrReason(await first.bank.refund?.({ ...refund, amountMinor: 4000 })), 'approved')
    assert.deepEqual(first.types(), ['ORDERHISTORY', 'Credit'])
    assert.match(first.sent[1]?.body ?? '', /<Total>40.00<\/Total><Currency>949<\/Currency>/)
    const done = historyAnswer(historyLine('C', 'C', 4000), sale)
    const again = bankAnswering(done)
    const response = await again.bank.refund?.({ ...refund, amountMinor: 4000 })
    assert.ok(response?.outcome === 'approved' && response.echoed.amountMinor === 4000)
    assert.deepEqual(again.types(), ['ORDERHISTORY'])
    const second = bankAnswering(done, approvedXmlAnswer)
    const next = { ...refund, amountMinor: 6000, refundKey: '2', priorRefundedMinor: 4000 }
    assert.equal(outcomeOrReason(await second.bank.refund?.(next)), 'approved')
    assert.deepEqual(second.types(), ['ORDERHISTORY', 'Credit'])
  })

  it('is not sent if the bank’s refunded sum differs, and is unknown if the bank does not report it', async () => {
    const other = historyAnswer(historyLine('C', 'C', 3000), sale)
    for (const response of [
      other,
      historyAnswer(historyLine('C', 'PN', 1), sale),
      'nothing',
      gatewayErrorAnswer('CORE-2201'),
    ]) {
      const { bank, types } = bankAnswering(response)
      const word = response === other ? 'sums_differ' : 'unknown'
      assert.equal(outcomeOrReason(await bank.refund?.({ ...refund, amountMinor: 4000 })), word)
      assert.deepEqual(types(), ['ORDERHISTORY'])
    }
  })

  it('of more than the remaining amount, or of an unknown order, is not sent', async () => {
    assert.equal(
      outcomeOrReason(
        await bankAnswering(historyAnswer(sale)).bank.refund?.({ ...refund, amountMinor: 10_001 }),
      ),
      'invalid_transaction',
    )
    const absent = xmlAnswer(
      {
        OrderId: reference,
        Response: 'Declined',
        ProcReturnCode: '05',
        ErrMsg: `No record found for ${reference}`,
      },
      { TRXCOUNT: '0' },
    )
    assert.equal(outcomeOrReason(await bankAnswering(absent).bank.refund?.(refund)), 'nothing_to_undo')
  })

  it('before the end of the bank’s day is a void if it is full, and is declined if it is partial', async () => {
    const unsettled = historyAnswer(historyLine('S', 'C', 10_000))
    const whole = bankAnswering(unsettled, gatewayErrorAnswer('CORE-2508'), approvedXmlAnswer)
    assert.equal(outcomeOrReason(await whole.bank.refund?.(refund)), 'approved')
    assert.deepEqual(whole.types(), ['ORDERHISTORY', 'Credit', 'Void'])
    const part = bankAnswering(unsettled, gatewayErrorAnswer('CORE-2508'))
    assert.equal(
      outcomeOrReason(await part.bank.refund?.({ ...refund, amountMinor: 4000 })),
      'not_settled_yet',
    )
    const meanwhile = bankAnswering(
      unsettled,
      gatewayErrorAnswer('CORE-2508'),
      gatewayErrorAnswer('CORE-2008'),
      orderFoundAnswer({ TRANS_STAT: 'S' }),
    )
    assert.equal(outcomeOrReason(await meanwhile.bank.refund?.(refund)), 'not_settled_yet')
    const lost = bankAnswering(unsettled, gatewayErrorAnswer('CORE-2508'), 'nothing')
    assert.equal(outcomeOrReason(await lost.bank.refund?.(refund)), 'unknown')
    const voided = bankAnswering(historyAnswer(historyLine('S', 'V', 10_000)))
    assert.equal(outcomeOrReason(await voided.bank.refund?.(refund)), 'approved')
  })
})

describe('the status of a refund', () => {
  const sale = historyLine('S', 'S', 10_000)
  const part = { ...refund, amountMinor: 4000, priorRefundedMinor: 1000 }
  const refundStatusFrom = async (response: string | NoHttpResponse, request = part) => {
    const { bank, types } = bankAnswering(response)
    const refundStatus = await bank.inquireRefund?.(request)
    assert.deepEqual(types(), ['ORDERHISTORY'], 'nothing but the history is asked for')
    return refundStatus
  }

  it('follows from the bank’s total of refunds', async () => {
    const [earlier, latest] = [historyLine('C', 'S', 1000), historyLine('C', 'C', 4000)]
    assert.equal((await refundStatusFrom(historyAnswer(earlier, sale)))?.status, 'not_refunded')
    const done = await refundStatusFrom(historyAnswer(latest, earlier, sale))
    assert.ok(done?.status === 'refunded')
    assert.equal(done.code, '00')
    assert.deepEqual(done.bankReferences, {
      transId: '24002V29G19979',
      hostRefNum: '400200744059',
      authCode: 'P78955',
    })
  })

  it('is prior_refunded for a full refund after a void, and not_refunded if nothing was captured', async () => {
    const voided = historyAnswer(historyLine('S', 'V', 10_000))
    assert.equal((await refundStatusFrom(voided, refund))?.status, 'refunded')
    assert.equal((await refundStatusFrom(voided))?.status, 'unknown', 'all was given back, and not this part')
    assert.equal((await refundStatusFrom(orderNotFoundAnswer))?.status, 'not_refunded')
    assert.equal(
      (await refundStatusFrom(historyAnswer(historyLine('S', 'A', 10_000))))?.status,
      'not_refunded',
    )
  })

  it('is unknown if the bank’s total differs or is not reported', async () => {
    const other = historyAnswer(historyLine('C', 'C', 3000), sale)
    const late = [true, false].map((mayHaveArrived) => new NoHttpResponse('late', { mayHaveArrived }))
    for (const response of [
      other,
      historyAnswer(sale),
      historyAnswer(historyLine('C', 'PN', 1), sale),
      'nothing',
      ...late,
    ]) {
      assert.equal((await refundStatusFrom(response))?.status, 'unknown')
    }
  })
})
