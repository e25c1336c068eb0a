import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import { openLog } from '../runtime/log.ts'
import { isLuhnValid, SecretCvc, SecretPan } from './card.ts'

const digits = '4155650100416111'
const pan = theOne(SecretPan.of(digits))
const cvc = theOne(SecretCvc.of('739'))
const card = { pan, cvc, expiryMonth: 12, expiryYear: 2030, holder: 'AYŞE IŞIK' }

describe('the card number and the security code stay hidden in', () => {
  const ways: Record<string, () => unknown> = {
    'template strings': () => `${pan} ${cvc}`,
    concatenation: () => `x${String(pan)}`.concat(pan as never, cvc as never),
    joining: () => [pan, cvc].join(),
    'String and toLocaleString': () => String(pan) + pan.toLocaleString() + cvc.toLocaleString(),
    inspect: () => inspect(card, { depth: null, showHidden: true }),
    'inspect without its custom': () =>
      inspect(card, { depth: null, showHidden: true, customInspect: false, getters: false }),
    format: () =>
      ['%s', '%o', '%O', '%j', '%d', '%i'].map((way) => format(way, pan) + format(way, cvc)).join(),
    JSON: () => JSON.stringify(card) + JSON.stringify([pan, cvc]),
    'entries, keys and values': () =>
      inspect([Object.entries(pan), Object.values(cvc), Reflect.ownKeys(pan), Reflect.ownKeys(cvc)]),
    spreading: () => inspect({ ...pan, ...cvc, ...Object.assign({}, pan) }),
    structuredClone: () => inspect(structuredClone(card), { depth: null, showHidden: true }),
    serialisation: () => serialize(card).toString('latin1'),
    'messages of errors': () => inspect(new Error(pan as never, { cause: card })),
    assertions: (): unknown => {
      try {
        assert.deepEqual(card, { pan: 1 })
      } catch (error) {
        return inspect(error)
      }
      return undefined
    },
    'a form': () => new URLSearchParams({ pan: pan as never, cvc: cvc as never }).toString(),
  }
  for (const [way, take] of Object.entries(ways)) {
    it(way, () => {
      const text = String(take())
      assert.ok(!text.includes(digits) && !text.includes('739'), text)
      assert.ok(!text.includes('50100416'), 'nor a part of it')
    })
  }

  it('the log', async () => {
    const lines: string[] = []
    const { log } = openLog({
      level: 'debug',
      format: 'json',
      stream: { write: (line) => lines.push(line) },
    })
    log.info({ card, pan, cvc, list: [pan, cvc] }, `${pan}`)
    log.error({ err: new Error(`with ${pan} and ${cvc}`, { cause: new Error(digits) }) }, 'trouble')
    const all = lines.join('')
    assert.ok(!all.includes(digits) && !all.includes('739'), all)
    assert.ok(all.includes('415565******6111'))
  })

  it('everything but `reveal`, which returns them', () => {
    assert.equal(pan.reveal(), digits)
    assert.equal(cvc.reveal(), '739')
  })
})

it('a card number may have spaces or hyphens; a wrong digit, length or character is refused', () => {
  for (const typed of ['4155 6501 0041 6111', '4155-6501-0041-6111', ' 4155650100416111 ']) {
    assert.equal(SecretPan.of(typed)?.reveal(), digits)
  }
  const wrong = [
    '',
    '4155650100416112',
    '415565010041611',
    '0000000000000000',
    '41556501004161110000',
    '4155650100416111x',
    '４１５５６５０１００４１６１１１',
  ]
  for (const typed of wrong) assert.equal(SecretPan.of(typed), undefined, typed)
})

it('a mask shows the first six and the last four digits of any length, and the BIN is the first eight digits', () => {
  const masks = {
    '4222222222222': '422222***2222',
    '374245455400126': '374245*****0126',
    [digits]: '415565******6111',
  }
  for (const [number, mask] of Object.entries(masks)) {
    assert.equal(SecretPan.of(number)?.masked, mask)
    assert.equal(SecretPan.of(number)?.bin, Number(number.slice(0, 8)))
  }
})

it('a security code has three or four digits', () => {
  assert.equal(SecretCvc.of('0001')?.reveal(), '0001')
  for (const typed of ['', '12', '12345', '12a', '１２３', ' 123'])
    assert.equal(SecretCvc.of(typed), undefined)
})

it('one of ten check digits is valid, and a swap of neighbours is detected, except 0 and 9', () => {
  const right = [...'0123456789'].filter((last) => isLuhnValid(digits.slice(0, -1) + last))
  assert.deepEqual(right, ['1'])
  for (let index = 0; index < digits.length - 1; index++) {
    const [one = '', other = ''] = digits.slice(index)
    const swapped = digits.slice(0, index) + other + one + digits.slice(index + 2)
    assert.equal(isLuhnValid(swapped), one === other)
  }
})

function theOne<Value>(value: Value | undefined): Value {
  assert.ok(value)
  return value
}
