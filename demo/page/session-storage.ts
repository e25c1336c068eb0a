/** Stores a value until the tab closes. If the browser has no storage or refuses it, nothing is stored. */
export function saveInSession(name: string, value: unknown): void {
  try {
    window.sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // The shop works without storage.
  }
}

export function loadFromSession<Value>(name: string, otherwise: Value): Value {
  try {
    return (JSON.parse(window.sessionStorage.getItem(name) ?? 'null') as Value | null) ?? otherwise
  } catch {
    return otherwise
  }
}
