import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { spacedNumber } from './card-number.ts'
import type { DigitFormat, EditKind } from './caret.ts'
import { editKindOf, reformat } from './caret.ts'
import { digitsOf } from './digits.ts'
import { slashedExpiry } from './expiry.ts'

const numbers: DigitFormat = { write: (typed) => spacedNumber(digitsOf(typed)), keeps: 'before' }
const dates: DigitFormat = { write: slashedExpiry, keeps: 'behind' }

/** Formats a text in which a bar marks the caret. */
function after(shape: DigitFormat, before: string, typed: string, edit: EditKind): string {
  const now = { value: typed.replace('|', ''), caret: typed.indexOf('|') }
  const { value, caret } = reformat(before, now, edit, shape)
  return `${value.slice(0, caret)}|${value.slice(caret)}`
}

describe('the caret keeps its position', () => {
  for (const [what, shape, before, typed, edit, expected] of [
    ['typing at the end', numbers, '4111', '41111|', 'writes', '4111 1|'],
    ['typing in the middle', numbers, '4111 2222', '49|111 2222', 'writes', '49|11 1222 2'],
    ['typing into a full group', numbers, '4111 2222', '41119| 2222', 'writes', '4111 9|222 2'],
    ['pasting with dashes', numbers, '', '4111-1111-1111-1111|', 'writes', '4111 1111 1111 1111|'],
    ['pasting into the middle', numbers, '41 22', '41 33-33| 22', 'writes', '4133 33|22'],
    ['digits of another script', numbers, '', '٤١١١١|', 'writes', '4111 1|'],
    ['deleting at the end', numbers, '4111 1', '4111 |', 'deletes before', '4111|'],
    ['deleting in the middle', numbers, '4123 4567', '41|3 4567', 'deletes before', '41|34 567'],
    ['deleting before a gap', numbers, '4123 4567', '4123|4567', 'deletes before', '412|4 567'],
    ['deleting behind a gap', numbers, '4123 4567', '4123|4567', 'deletes behind', '4123| 567'],
    ['cutting a gap alone', numbers, '4123 4567', '4123|4567', 'deletes', '4123| 4567'],
    ['cutting a piece', numbers, '4123 4567 8901', '41|8901', 'deletes', '41|89 01'],
    [
      'one digit too many',
      numbers,
      '5555 5555 5555 4444',
      '55955|5 5555 5555 4444',
      'writes',
      '5595 5|555 5555 5544',
    ],
    ['American Express', numbers, '3744 270000 0000', '3744 2790|000 0000', 'writes', '3744 2790|00 00000'],
    ['a month without its zero', dates, '', '3|', 'writes', '03|'],
    ['the third digit', dates, '12', '123|', 'writes', '12/3|'],
    ['deleting the slash', dates, '12/30', '12|30', 'deletes before', '1|/30'],
    ['deleting the first digit of the month', dates, '12/30', '|2/30', 'deletes before', '|2/30'],
    ['writing it again', dates, '2/30', '1|2/30', 'writes', '1|2/30'],
    ['a year typed whole', dates, '12/203', '12/2030|', 'writes', '12/30|'],
  ] as const) {
    it(what, () => assert.equal(after(shape, before, typed, edit), expected))
  }

  it('the browser’s input types are mapped to edits', () => {
    assert.equal(editKindOf('deleteContentBackward'), 'deletes before')
    assert.equal(editKindOf('deleteContentForward'), 'deletes behind')
    assert.equal(editKindOf('deleteByCut'), 'deletes')
    assert.equal(editKindOf('insertFromPaste'), 'writes')
    assert.equal(editKindOf(undefined), 'writes')
  })
})
