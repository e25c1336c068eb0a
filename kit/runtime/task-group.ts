/** Background work of one process: begun anywhere, ended and awaited in one place when the process stops. */
export class TaskGroup {
  readonly #ending = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  /** Aborted when the process stops. Repeated work then ends after its current run. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Makes a stopping process wait for the work. */
  add<Result>(work: Promise<Result>): Promise<Result> {
    const task = work.finally(() => this.#running.delete(task))
    this.#running.add(task)
    return task
  }

  end(): void {
    this.#ending.abort()
  }

  /** Resolves when no work is running, also none that other work began meanwhile. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}
