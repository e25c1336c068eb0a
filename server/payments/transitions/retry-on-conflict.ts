/** Conflicts on one payment after which an error is assumed. */
const maxTries = 20

/** Marks a decision whose state has changed meanwhile. */
export const conflictSentinel = Symbol('conflict')

/** Repeats reading and deciding while there is a conflict. `giveUp` gives the result after too many. */
export async function retryOnConflict<Result>(
  work: () => Promise<Result | typeof conflictSentinel>,
  giveUp: () => Result = () => {
    throw new Error('gave up after too many conflicts: the payment kept changing')
  },
): Promise<Result> {
  for (let count = 1; count <= maxTries; count++) {
    const result = await work()
    if (result !== conflictSentinel) return result
  }
  return giveUp()
}
