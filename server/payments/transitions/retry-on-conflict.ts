/** Conflicts on one payment after which an error is assumed. */
const maxTries = 20

/** Marks a decision whose state has changed meanwhile. */
export const conflictSentinel = Symbol('conflict')

/** Repeats reading and deciding while there is a conflict. */
export async function retryOnConflict<Result>(
  work: () => Promise<Result | typeof conflictSentinel>,
): Promise<Result> {
  for (let count = 1; count <= maxTries; count++) {
    const result = await work()
    if (result !== conflictSentinel) return result
  }
  throw new Error('gave up after too many conflicts: the payment kept changing')
}
