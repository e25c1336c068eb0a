/** What is kept while the tab lives. A browser may have no such place, or refuse it: then nothing is kept. */
export function saveInSession(name: string, value: unknown): void {
  try {
    window.sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // It is a convenience, and missed by nobody.
  }
}

export function loadFromSession<Value>(name: string, otherwise: Value): Value {
  try {
    return (JSON.parse(window.sessionStorage.getItem(name) ?? 'null') as Value | null) ?? otherwise
  } catch {
    return otherwise
  }
}
