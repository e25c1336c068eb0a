/** State that a process keeps in memory between requests and runs of jobs. Each process has its own. */
export class ProcessState {
  readonly #states = new Map<() => unknown, unknown>()

  /** The process's one state of a kind, created at the first use. The function is the key: declare it once. */
  of<State>(create: () => State): State {
    return this.#states.getOrInsertComputed(create, create) as State
  }
}
