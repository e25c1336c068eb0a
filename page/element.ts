/** Returns an element that must exist. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const node = document.getElementById(id)
  if (!(node instanceof kind)) throw new Error(`the page has no ${id}`)
  return node
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
