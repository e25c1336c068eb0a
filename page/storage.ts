/** Uses the session storage of the tab. If the browser has none or refuses it, nothing is stored. */
export function withSessionStorage<Result>(call: (storage: Storage) => Result): Result | undefined {
  try {
    return call(window.sessionStorage)
  } catch {
    return undefined
  }
}
