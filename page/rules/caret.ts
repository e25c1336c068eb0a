import { asciiDigits, digitsOf } from './digits.ts'

/** A text and the place of the caret in it. */
export interface InputState {
  value: string
  caret: number
}

export type EditKind = 'writes' | 'deletes' | 'deletes before' | 'deletes behind'

/** How a field of digits is written. */
export interface DigitFormat {
  write(typed: string, isDeleting: boolean): string
  /** Which digits the caret keeps to: those before it where digits go lost at the end, else those behind it. */
  keeps: 'before' | 'behind'
}

/**
 * Writes digits anew without losing the place of the caret. Who deletes a gap means the digit beside it: the gap itself
 * would come back at once.
 */
export function reformat(before: string, now: InputState, edit: EditKind, format: DigitFormat): InputState {
  const typed = { value: asciiDigits(now.value), caret: now.caret }
  const isGapGone = typed.value.length < before.length && digitsOf(before) === digitsOf(typed.value)
  const meant = isGapGone ? withoutDigit({ value: before, caret: now.caret }, edit) : typed
  const isDeleting = edit !== 'writes'
  const value = format.write(meant.value, isDeleting)
  const [left, right] = [meant.value.slice(0, meant.caret), meant.value.slice(meant.caret)]
  // Digits are added or left out while writing alone.
  const caret =
    format.keeps === 'before' || isDeleting
      ? indexAfterDigits(value, digitsOf(left).length)
      : value.length - indexAfterDigits([...value].reverse().join(''), digitsOf(right).length)
  return { value, caret }
}

/** The text as it was, with the gap that stands at the caret, and without the digit on one side of it. */
function withoutDigit({ value, caret }: InputState, edit: EditKind): InputState {
  const [left, right] = [value.slice(0, caret), value.slice(caret)]
  if (edit === 'deletes behind') return { value: left + right.replace(/\d/, ''), caret }
  if (edit !== 'deletes before') return { value, caret }
  const remaining = left.replace(/\d\D*$/, '')
  return { value: remaining + right, caret: remaining.length }
}

/** The place right behind so many digits. */
function indexAfterDigits(text: string, count: number): number {
  let index = 0
  for (let digits = 0; digits < count && index < text.length; index++)
    if (/\d/.test(text[index] ?? '')) digits++
  return index
}

/** What a browser says of an input, in these words. */
export function editKindOf(inputType: string | undefined): EditKind {
  if (inputType === 'deleteContentBackward') return 'deletes before'
  if (inputType === 'deleteContentForward') return 'deletes behind'
  return inputType?.startsWith('delete') ? 'deletes' : 'writes'
}
