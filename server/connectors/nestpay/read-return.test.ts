import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../testing/harness/any-text.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import type { BankPageResult } from '../contract/contract.ts'
import { hashOf } from './hash.ts'
import { readReturn } from './read-return.ts'

const storeKey = 'SKEY|100200127\\'
const options = { clientId: '100200127', storeKey, acceptsHalf: false }
const terms = { reference: '10000000000042AB12CD', amountMinor: 12_345, currency: 'TRY', installment: 3 }

const proof = {
  md: '545103:9716234382F9D9B630CC01452A6F160D31A2E1DB:3677:##100200127',
  xid: 'XWOb78QRZ1Re8f7i8b2ZW85cLr8=',
  eci: '02',
  cavv: 'ABABCSQDGQAAAABllJMDdUQAEJI=',
}

const genuine: Readonly<Record<string, string>> = {
  clientid: '100200127',
  storetype: '3d',
  amount: '123.45',
  currency: '949',
  oid: terms.reference,
  okUrl: 'https://pay.example/return',
  failUrl: 'https://pay.example/return',
  rnd: 'yVCgrF4/9i3p9R0rQvw8',
  lang: 'tr',
  taksit: '3',
  TranType: 'Auth',
  hashAlgorithm: 'ver3',
  mdStatus: '1',
  mdErrorMsg: 'Y-status/Challenge authentication',
  txstatus: 'Y',
  dsId: '1',
  sID: '1',
  maskedCreditCard: '5451 03** **** 0000',
  merchantName: 'Işık Mağazası',
  ...proof,
}

/** Form as signed by the bank and posted by a browser. Undefined removes a field. */
function body(changes: Record<string, string | undefined> = {}, key = storeKey): Buffer {
  const entries = Object.entries({ ...genuine, ...changes })
  const fields = Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return encodedForm({ HASH: hashOf(fields, key), ...fields })
}

const encodedForm = (fields: Record<string, string>) => Buffer.from(new URLSearchParams(fields).toString())

const read = (bytes: Buffer, more: Partial<typeof options & typeof terms> = {}) =>
  readReturn({ ...options, ...more }, { ...terms, ...more }, bytes)

const why = (verdict: BankPageResult) => (verdict.verdict === 'not_genuine' ? verdict.why : verdict.verdict)

describe('a return from the bank', () => {
  it('is proven if the bank signed it, for this charge, with mdStatus 1', () => {
    const verdict = read(body())
    assert.ok(verdict.verdict === 'proven')
    assert.deepEqual(verdict.proof, proof)
    assert.deepEqual([verdict.status, verdict.eci], ['Y', '02'])
  })

  it('is not genuine with a wrong hash', () => {
    assert.equal(why(read(body({}, 'another key'))), 'its signature is not the bank’s')
    assert.equal(why(read(encodedForm({ ...genuine, HASH: '' }))), 'its signature is not the bank’s')
    assert.equal(why(read(encodedForm(genuine))), 'its signature is not the bank’s')
    assert.equal(
      why(read(encodedForm({ ...genuine, HASH: hashOf(genuine, '') }))),
      'its signature is not the bank’s',
    )
  })

  it('is not proven if it is a refused form that the bank signed, with fields renamed by the payer', () => {
    // The gate signs a refused form with all its values, and the payer renames the fields.
    const refusals = [
      { ErrMsg: '3D-1004 Guvenlik Kodu hatali' },
      { ErrMsg: 'Guvenlik Kodu hatalı' },
      { ErrorCode: 'HPP-1001' },
      { errorX: 'CORE-2012' },
      { zResponse: 'Error' },
    ]
    for (const refusal of refusals)
      for (const acceptsHalf of [true, false])
        for (const mdStatus of ['1', '2', '4']) {
          const { verdict } = read(body({ mdStatus, ...refusal }), { acceptsHalf })
          assert.notEqual(verdict, 'proven', JSON.stringify(refusal))
        }
  })

  it('is not genuine if it is our own form, which is signed with the same key', () => {
    const card = { pan: '5451030000000000', cv2: '123', mdStatus: undefined }
    assert.equal(why(read(body(card))), 'it is our own form')
    assert.equal(why(read(body({ ...card, mdStatus: '1' }))), 'it is our own form')
  })

  it('is not genuine if it is about another store, charge or amount, even with a valid hash', () => {
    const others: [Record<string, string | undefined>, string][] = [
      [{ clientid: '100200128' }, 'store'],
      [{ clientid: undefined }, 'store'],
      [{ oid: '10000000000042AB12CE' }, 'charge'],
      [{ oid: undefined }, 'charge'],
      [{ amount: '123.46' }, 'amount'],
      [{ amount: '12345' }, 'amount'],
      [{ amount: '123.450' }, 'amount'],
      [{ amount: '1.2345e2' }, 'amount'],
      [{ amount: undefined }, 'amount'],
      [{ currency: '840' }, 'currency'],
      [{ currency: 'TRY' }, 'currency'],
      [{ taksit: '' }, 'number of installments'],
      [{ taksit: '03' }, 'number of installments'],
      [{ taksit: undefined }, 'number of installments'],
    ]
    for (const [change, what] of others)
      assert.equal(why(read(body(change))), `it is about another ${what}`, JSON.stringify(change))
  })

  it('may write the amount in a shorter form, and a single payment in several forms', () => {
    assert.equal(read(body({ amount: '120.5' }), { amountMinor: 12_050 }).verdict, 'proven')
    assert.equal(read(body({ amount: '120' }), { amountMinor: 12_000 }).verdict, 'proven')
    for (const taksit of ['', '0', '1', undefined])
      assert.equal(read(body({ taksit }), { installment: 1 }).verdict, 'proven')
    assert.equal(read(body({ taksit: '2' }), { installment: 1 }).verdict, 'not_genuine')
  })

  it('with mdStatus 2, 3 or 4 is an attempt if the POS accepts it; any other status is not proven', () => {
    for (const mdStatus of ['0', '2', '3', '4', '5', '6', '7', '8', '9', '01', '1 ', 'Y', '-1']) {
      const half = ['2', '3', '4'].includes(mdStatus)
      const strict = read(body({ mdStatus, cavv: undefined, eci: undefined }))
      assert.ok(strict.verdict === 'not_proven' && strict.code === mdStatus.trim(), mdStatus)
      assert.equal(strict.message, 'Y-status/Challenge authentication')
      const lenient = read(body({ mdStatus, cavv: undefined, eci: undefined }), { acceptsHalf: true })
      assert.equal(lenient.verdict, half ? 'proven' : 'not_proven', mdStatus)
      if (lenient.verdict === 'proven') assert.deepEqual([lenient.status, lenient.eci], ['A', null])
    }
  })

  it('without mdStatus is not proven, and has the gate’s error', () => {
    const error = {
      mdStatus: undefined,
      Response: 'Error',
      ErrorCode: 'HPP-1001',
      ErrMsg: 'Kart no 5451030000000000',
    }
    const verdict = read(body({ ...error, amount: '0' }))
    assert.ok(verdict.verdict === 'not_proven')
    assert.deepEqual([verdict.code, verdict.message], ['HPP-1001', 'Kart no [number redacted]'])
  })

  it('is not proven if a field of the proof is missing, too long or contradicting', () => {
    const lacks = [
      { md: undefined },
      { xid: '' },
      { eci: '' },
      { eci: '005' },
      { cavv: 'true' },
      { cavv: undefined },
    ]
    const odd = [{ md: 'm'.repeat(1001) }, { xid: 'ş' }, { cavv: 'c'.repeat(101) }, { txstatus: 'N' }]
    for (const change of [...lacks, ...odd])
      assert.equal(read(body(change)).verdict, 'not_proven', JSON.stringify(change))
  })

  it('of a failed authentication proves nothing under renamed fields, which the hash does not detect', () => {
    const changes = { digest: 'digest', mdStatus: '0', txstatus: '' }
    const { cavv: _cavv, eci: _eci, ...failed }: Record<string, string> = { ...genuine, ...changes }
    const names: Record<string, string> = {
      digest: 'md',
      dsId: 'mdStatus',
      failUrl: 'mdStatus1',
      hashAlgorithm: 'mdStatus2',
    }
    const later = ['lang', 'maskedCreditCard', 'md', 'mdErrorMsg', 'mdStatus', 'merchantName']
    for (const [index, name] of later.entries()) names[name] = `mdStatus${index + 3}`
    const renamed = Object.fromEntries(
      Object.entries(failed).map(([name, value]) => [names[name] ?? name, value]),
    )
    const hash = hashOf(failed, storeKey)
    assert.equal(hashOf(renamed, storeKey), hash)
    assert.equal(read(encodedForm({ ...renamed, HASH: hash })).verdict, 'not_proven')
  })
})

describe('the body of a return', () => {
  it('can be in UTF-8 or ISO-8859-9', () => {
    const hash = encodeURIComponent(hashOf(genuine, storeKey))
    const { merchantName: _, ...ascii } = genuine
    const rest = new URLSearchParams(ascii).toString()
    for (const name of ['I%C5%9F%C4%B1k+Ma%C4%9Fazas%C4%B1', 'I%FE%FDk+Ma%F0azas%FD'])
      assert.equal(read(Buffer.from(`${rest}&merchantName=${name}&HASH=${hash}`)).verdict, 'proven')
    const raw = Buffer.concat([
      Buffer.from(`${rest}&HASH=${hash}&merchantName=I`),
      Buffer.from([0xfe, 0xfd]),
      Buffer.from('k Ma'),
      Buffer.from([0xf0]),
      Buffer.from('azas'),
      Buffer.from([0xfd]),
    ])
    assert.equal(read(raw).verdict, 'proven')
  })

  it('with a repeated name, in any case, is not genuine', () => {
    for (const more of ['mdStatus=1', 'MDSTATUS=1', 'hash=x', 'encoding=a&Encoding=b']) {
      const verdict = read(Buffer.concat([body(), Buffer.from(`&${more}`)]))
      assert.equal(why(verdict), 'it cannot be read', more)
    }
  })

  it('that is no form, or too large, is not genuine', () => {
    const many = Array.from({ length: 201 }, (_, index) => `n${index}=1`).join('&')
    for (const bytes of [
      '',
      '%',
      'a=%zz',
      '=1',
      '&',
      many,
      `a=${'x'.repeat(65_536)}`,
      `${'n'.repeat(101)}=1`,
    ])
      assert.deepEqual(read(Buffer.from(bytes)), {
        verdict: 'not_genuine',
        why: 'it cannot be read',
        trace: {},
      })
  })

  it('never makes the reader throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => why(read(Buffer.from(bytes))) !== 'proven'),
    )
    const word = fc.string({ unit: anyCharacter, maxLength: 20 })
    fc.assert(
      fc.property(fc.dictionary(word, word), (fields) => why(read(encodedForm({ ...fields }))) !== 'proven'),
    )
    fc.assert(fc.property(fc.dictionary(word, word), (fields) => read(body(fields)).verdict.length > 0))
  })

  it('with one changed byte proves nothing, or exactly the same', () => {
    const bytes = body()
    const at = fc.integer({ min: 0, max: bytes.length - 1 })
    const changed = fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([index, by]) => {
      const copy = Buffer.from(bytes)
      copy[index] = (copy[index] ?? 0) ^ by
      return copy
    })
    const cut = at.map((length) => bytes.subarray(0, length))
    fc.assert(
      fc.property(fc.oneof(changed, cut), (altered) => {
        const verdict = read(altered, { acceptsHalf: true })
        if (verdict.verdict !== 'proven') return
        assert.deepEqual([verdict.proof, verdict.status], [proof, 'Y'])
      }),
      { numRuns: repetitions(2000) },
    )
  })
})

describe('the trace', () => {
  it('holds no card, no proof and no hash', () => {
    const { trace } = read(
      body({ EXTRA: 'card 5451 0300 0000 0000', cv2: '123', Ecom_Payment_Card_ExpDate_Year: '30' }),
    )
    const traceText = JSON.stringify(trace)
    for (const secret of [
      proof.md,
      proof.cavv,
      hashOf(genuine, storeKey),
      '5451 0300',
      '"123"',
      'Ecom',
      'HASH',
    ])
      assert.ok(!traceText.includes(secret), secret)
    assert.equal(trace['mdStatus'], '1')
    assert.equal(trace['hashAlgorithm'], 'ver3')
    assert.equal(trace['maskedCreditCard'], '5451 03** **** 0000')
  })

  it('is short, even if the return is not genuine', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`n${index}`, 'x\n'.repeat(120)]),
    )
    const { trace } = read(encodedForm(many))
    assert.equal(Object.keys(trace).length, 80)
    for (const value of Object.values(trace)) assert.match(value, /^[x ]{1,200}$/)
  })
})
