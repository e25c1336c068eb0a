/** What the element is handed of the browser that it runs in, so that tests can hand it something else. */
export interface Browser {
  fetch(url: string, request: RequestInit): Promise<Response>
  /** Milliseconds that only grow: what the clock on the wall says may be wrong, and may change. */
  now(): number
  /** Calls once that much time has passed. What it answers calls it off. */
  after(ms: number, call: () => void): () => void
  uuid(): string
  /** Shows an error of somebody else's code as if nobody had caught it. */
  report(error: unknown): void
  /** Tells the developer. */
  complain(...words: unknown[]): void
}

/** The same as `after`, called off when the signal says so. */
export function afterUnlessAborted(
  { after }: Browser,
  ms: number,
  signal: AbortSignal,
  call: () => void,
): () => void {
  if (signal.aborted) return () => {}
  const callOff = after(ms, () => {
    signal.removeEventListener('abort', callOff)
    call()
  })
  signal.addEventListener('abort', callOff)
  return () => {
    signal.removeEventListener('abort', callOff)
    callOff()
  }
}
