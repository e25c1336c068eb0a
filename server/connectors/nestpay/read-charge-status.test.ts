import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  approvalFields,
  bankAnswering,
  gatewayErrorAnswer,
  historyAnswer,
  historyLine,
  inquiry,
  orderFields,
  orderFoundAnswer,
  orderNotFoundAnswer,
  reference,
  xmlAnswer,
} from '../../../testing/connectors/nestpay-answers.ts'

describe('a query', () => {
  const queried = async (...answers: string[]) => bankAnswering(...answers).bank.inquire(inquiry)
  const statusOf = async (...answers: string[]) => (await queried(...answers)).status

  it('reports the captured or held amount of the bank', async () => {
    const taken = await queried(
      orderFoundAnswer({ CAPTURE_AMT: '9995', TRANS_ID: 'T1', HOST_REF_NUM: '40', SETTLEID: '' }),
    )
    assert.deepEqual(taken, {
      status: 'taken',
      echoed: { reference, amountMinor: 9995 },
      refundedMinor: 0,
      code: '00',
      message: null,
      bankReferences: { transId: 'T1', hostRefNum: '40', authCode: 'P48911' },
    })
    const held = await queried(orderFoundAnswer({ TRANS_STAT: 'A', CAPTURE_AMT: '' }))
    assert.ok(held.status === 'held' && held.echoed.amountMinor === 10_000)
    assert.equal(await statusOf(orderFoundAnswer({ TRANS_STAT: 'S' })), 'taken')
  })

  it('reads each state of an order; pending and contradicting states are unknown', async () => {
    const failed = { PROC_RET_CD: '51', AUTH_CODE: '' }
    assert.equal(await statusOf(orderFoundAnswer({ TRANS_STAT: 'V' })), 'undone')
    assert.equal(await statusOf(orderFoundAnswer({ TRANS_STAT: 'CNCL' })), 'undone')
    assert.deepEqual(await queried(orderFoundAnswer({ TRANS_STAT: 'D', ...failed })), {
      status: 'declined',
      reason: 'insufficient_funds',
      code: '51',
      message: null,
    })
    assert.equal(
      await statusOf(orderFoundAnswer({ TRANS_STAT: 'ERR', ...failed, PROC_RET_CD: '99' })),
      'declined',
    )
    for (const TRANS_STAT of ['PN', 'R', 'X'])
      assert.equal(await statusOf(orderFoundAnswer({ TRANS_STAT })), 'unknown')
    for (const TRANS_STAT of ['D', 'ERR']) {
      assert.equal(await statusOf(orderFoundAnswer({ TRANS_STAT })), 'unknown')
      assert.equal(await statusOf(orderFoundAnswer({ TRANS_STAT, PROC_RET_CD: '05' })), 'unknown')
    }
  })

  it('without a record is absent, for this order only', async () => {
    assert.deepEqual(await queried(orderNotFoundAnswer), { status: 'absent' })
    assert.equal(
      await statusOf(xmlAnswer({ ...approvalFields, ErrMsg: `No record found for ${reference}` })),
      'absent',
    )
    assert.equal(await statusOf(orderNotFoundAnswer.replaceAll(reference, 'another')), 'unknown')
    assert.equal(await statusOf(xmlAnswer({ ...approvalFields, ErrMsg: 'No record found' })), 'unknown')
    assert.equal(
      await statusOf(
        xmlAnswer({ ...approvalFields, ErrMsg: `No record found for ${reference}` }, orderFields),
      ),
      'unknown',
    )
    assert.equal(await statusOf(gatewayErrorAnswer('CORE-2201')), 'unknown')
  })

  it('with an answer about another order, without an amount or contradicting itself is unknown', async () => {
    const doubtful: (Partial<typeof orderFields> & Record<string, string>)[] = [
      { ORD_ID: 'another' },
      { CAPTURE_AMT: '' },
      { CAPTURE_AMT: '100.00' },
      { CAPTURE_AMT: '0' },
      { PROC_RET_CD: '' },
      { PROC_RET_CD: '05' },
      { TRANS_STAT: 'A' },
      { CHARGE_TYPE_CD: 'X' },
      { ORDERSTATUS: `ORD_ID:${reference}\tTRANS_STAT:D\tCAPTURE_AMT:10000` },
      { ORDERSTATUS: 'CAPTURE_AMT:1' },
    ]
    for (const change of doubtful)
      assert.equal(await statusOf(orderFoundAnswer(change)), 'unknown', JSON.stringify(change))
    const alike = `ORD_ID:${reference}\tCHARGE_TYPE_CD:S\tORIG_TRANS_AMT:10000\tCAPTURE_AMT:10000\tTRANS_STAT:C`
    assert.equal(await statusOf(orderFoundAnswer({ ORDERSTATUS: alike })), 'taken')
    assert.equal(
      await statusOf(orderFoundAnswer().replace(`<OrderId>${reference}`, '<OrderId>another')),
      'unknown',
    )
  })

  it('of a refunded order reads the history: a partial refund is taken, a full one is undone', async () => {
    const credited = orderFoundAnswer({ CHARGE_TYPE_CD: 'C' })
    const sale = historyLine('S', 'S', 10_000)
    const part = await queried(credited, historyAnswer(historyLine('C', 'C', 4000), sale))
    assert.ok(part.status === 'taken')
    assert.deepEqual([part.echoed.amountMinor, part.refundedMinor], [10_000, 4000])
    assert.equal(
      await statusOf(credited, historyAnswer(historyLine('C', 'S', 6000), historyLine('C', 'C', 4000), sale)),
      'undone',
    )
    const failed = await queried(credited, historyAnswer(historyLine('C', 'D', 10_000, '99'), sale))
    assert.equal(failed.status, 'taken')
    for (const odd of [
      historyAnswer(historyLine('C', 'PN', 4000), sale),
      historyAnswer(historyLine('C', 'D', 4000), sale),
      historyAnswer(historyLine('C', 'C', 10_001), sale),
      historyAnswer(historyLine('C', 'C', 4000)),
      historyAnswer(sale, sale),
      historyAnswer('C\tC'),
      historyAnswer(sale).replace('<TRXCOUNT>1', '<TRXCOUNT>2'),
      historyAnswer(sale).replaceAll(reference, 'another'),
      gatewayErrorAnswer('CORE-2201'),
      'nothing',
    ])
      assert.equal(await statusOf(credited, odd), 'unknown', odd)
  })
})
