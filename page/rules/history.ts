/**
 * Undo history of a field: the browser loses its own when a script writes into the field. `keep` gets the
 * state before each change.
 */
export class UndoHistory<State> {
  #past: State[] = []
  #future: State[] = []

  keep(state: State): void {
    this.#past.push(state)
    this.#future = []
  }

  undo(now: State): State | undefined {
    const state = this.#past.pop()
    if (state !== undefined) this.#future.push(now)
    return state
  }

  redo(now: State): State | undefined {
    const state = this.#future.pop()
    if (state !== undefined) this.#past.push(now)
    return state
  }

  forget(): void {
    this.#past = []
    this.#future = []
  }
}
