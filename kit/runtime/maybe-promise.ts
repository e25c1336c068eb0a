/** What is there at once, or comes later. A promise costs more than most of our work, so the hot path makes none. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on with the value: at once if it is there, later if it comes later. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Does the work and tells `done` how it ended, once. What `done` itself throws is not taken for a failure of the work. */
export function runWithCallback(work: () => MaybePromise<void>, done: (error?: unknown) => void): void {
  let outcome: MaybePromise<void>
  try {
    outcome = work()
  } catch (error) {
    done(error)
    return
  }
  if (outcome instanceof Promise) outcome.then(() => done(), done)
  else done()
}
