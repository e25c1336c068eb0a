import type { DigitFormat, InputState } from './rules/caret.ts'
import { editKindOf, reformat } from './rules/caret.ts'
import { UndoHistory } from './rules/history.ts'

/** Field whose digits are formatted as on the card, whether typed, pasted, filled in, deleted or undone. */
export class DigitField {
  readonly input: HTMLInputElement
  readonly #shape: DigitFormat
  readonly #history = new UndoHistory<InputState>()
  #last: InputState = { value: '', caret: 0 }

  constructor(input: HTMLInputElement, shape: DigitFormat) {
    this.input = input
    this.#shape = shape
    // Pasted text may be longer than its formatted result.
    input.removeAttribute('maxlength')
    input.addEventListener('beforeinput', () => {
      this.#last = this.#now()
    })
    input.addEventListener('input', (event) => {
      // A keyboard that is still composing would insert its part twice.
      if (event instanceof InputEvent && event.isComposing) return
      this.#rewrite(event instanceof InputEvent ? event.inputType : undefined)
    })
    input.addEventListener('compositionend', () => this.#rewrite(undefined))
    input.addEventListener('keydown', (event) => this.#onKey(event))
  }

  /** Sets a value as if it were typed. */
  fill(value: string): void {
    this.#last = this.#now()
    this.input.value = value
    this.input.dispatchEvent(new Event('input', { bubbles: true }))
  }

  /** Clears the field and its history. */
  forget(): void {
    this.input.value = ''
    this.#last = { value: '', caret: 0 }
    this.#history.forget()
  }

  #now(): InputState {
    const { value, selectionStart } = this.input
    return { value, caret: selectionStart ?? value.length }
  }

  #rewrite(inputType: string | undefined): void {
    const before = this.#last
    this.#put(reformat(before.value, this.#now(), editKindOf(inputType), this.#shape))
    if (this.input.value !== before.value) this.#history.keep(before)
    this.#last = this.#now()
  }

  #put({ value, caret }: InputState): void {
    if (value === this.input.value) return
    this.input.value = value
    if (document.activeElement === this.input) this.input.setSelectionRange(caret, caret)
  }

  /** Undo is done here, because a browser loses its undo history when a script writes into a field. */
  #onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
    if (!isRedo && key !== 'z') return
    event.preventDefault()
    const state = isRedo ? this.#history.redo(this.#now()) : this.#history.undo(this.#now())
    if (!state) return
    this.#put(state)
    this.#last = this.#now()
    this.input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
