/** More often than this nobody else gets ahead of us on one payment. */
const mostRounds = 20

/** Somebody else got ahead: what was decided on is no longer so. */
export const overtaken = Symbol('overtaken')

/** Looks and decides anew for as long as somebody else gets ahead. */
export async function inRounds<Result>(round: () => Promise<Result | typeof overtaken>): Promise<Result> {
  for (let count = 1; count <= mostRounds; count++) {
    const result = await round()
    if (result !== overtaken) return result
  }
  throw new Error('others change the payment all the time')
}
