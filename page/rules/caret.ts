import { asciiDigits, digitsOf } from './digits.ts'

/** Text with the position of the caret. */
export interface InputState {
  value: string
  caret: number
}

export type EditKind = 'writes' | 'deletes' | 'deletes before' | 'deletes behind'

/** Format of a field of digits. */
export interface DigitFormat {
  write(typed: string, isDeleting: boolean): string
  /** Side whose digits fix the caret: `before` if digits are dropped at the end, otherwise `behind`. */
  keeps: 'before' | 'behind'
}

/**
 * Formats digits and keeps the position of the caret. Deleting a gap deletes the digit beside it, because the
 * gap would reappear.
 */
export function reformat(before: string, now: InputState, edit: EditKind, format: DigitFormat): InputState {
  const typed = { value: asciiDigits(now.value), caret: now.caret }
  const isGapGone = typed.value.length < before.length && digitsOf(before) === digitsOf(typed.value)
  const meant = isGapGone ? withoutDigit({ value: before, caret: now.caret }, edit) : typed
  const isDeleting = edit !== 'writes'
  const value = format.write(meant.value, isDeleting)
  const [left, right] = [meant.value.slice(0, meant.caret), meant.value.slice(meant.caret)]
  // Formatting adds or drops digits only while the payer writes.
  const caret =
    format.keeps === 'before' || isDeleting
      ? indexAfterDigits(value, digitsOf(left).length)
      : value.length - indexAfterDigits([...value].reverse().join(''), digitsOf(right).length)
  return { value, caret }
}

/** Removes the digit on one side of the caret from the previous text, gap included. */
function withoutDigit({ value, caret }: InputState, edit: EditKind): InputState {
  const [left, right] = [value.slice(0, caret), value.slice(caret)]
  if (edit === 'deletes behind') return { value: left + right.replace(/\d/, ''), caret }
  if (edit !== 'deletes before') return { value, caret }
  const remaining = left.replace(/\d\D*$/, '')
  return { value: remaining + right, caret: remaining.length }
}

/** Index after this number of digits. */
function indexAfterDigits(text: string, count: number): number {
  let index = 0
  for (let digits = 0; digits < count && index < text.length; index++)
    if (/\d/.test(text[index] ?? '')) digits++
  return index
}

/** Maps the browser's input type. */
export function editKindOf(inputType: string | undefined): EditKind {
  if (inputType === 'deleteContentBackward') return 'deletes before'
  if (inputType === 'deleteContentForward') return 'deletes behind'
  return inputType?.startsWith('delete') ? 'deletes' : 'writes'
}
