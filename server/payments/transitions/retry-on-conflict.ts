/** More often than this nobody else gets ahead of us on one payment. */
const maxTries = 20

/** Somebody else got ahead: what was decided on is no longer so. */
export const conflictSentinel = Symbol('conflict')

/** Reads and decides again for as long as there is a conflict. */
export async function retryOnConflict<Result>(
  work: () => Promise<Result | typeof conflictSentinel>,
): Promise<Result> {
  for (let count = 1; count <= maxTries; count++) {
    const result = await work()
    if (result !== conflictSentinel) return result
  }
  throw new Error('gave up after too many conflicts: the payment kept changing')
}
