/** Long enough for a frame on a slow phone. */
const hiddenMs = 100

/** Returns an element that must exist. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const node = document.getElementById(id)
  if (!(node instanceof kind)) throw new Error(`the page has no ${id}`)
  return node
}

/** Waits until the browser has shown the last change, or shortly in a hidden window, which shows nothing. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, hiddenMs)
  })
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
