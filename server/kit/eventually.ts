/** What is there at once, or comes later. A promise costs more than most of our work, so the hot path makes none. */
export type Eventually<Value> = Value | Promise<Value>

/** Goes on with the value: at once if it is there, later if it comes later. */
export function goOn<Value, Next>(
  value: Eventually<Value>,
  next: (value: Value) => Eventually<Next>,
): Eventually<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Does the work and tells `done` how it ended, once. What `done` itself throws is not taken for a failure of the work. */
export function settle(work: () => Eventually<void>, done: (error?: unknown) => void): void {
  let outcome: Eventually<void>
  try {
    outcome = work()
  } catch (error) {
    done(error)
    return
  }
  if (outcome instanceof Promise) outcome.then(() => done(), done)
  else done()
}
