/** What is kept while the tab lives. A browser may have no such place, or refuse it: then nothing is kept. */
export function withSessionStorage<Result>(call: (storage: Storage) => Result): Result | undefined {
  try {
    return call(window.sessionStorage)
  } catch {
    return undefined
  }
}
