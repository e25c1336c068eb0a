/**
 * A value that is available now or later. A promise costs more than most of our work, so the hot path avoids
 * it.
 */
export type MaybePromise<Value> = Value | Promise<Value>

/** Continues with the value: immediately if it is available, otherwise when it is. */
export function andThen<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Runs the work and calls `done` once with the outcome. An error thrown by `done` is not taken as a failure
 * of the work.
 */
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
