/** Browser functions that the element uses. Tests replace them. */
export interface Browser {
  fetch(url: string, request: RequestInit): Promise<Response>
  /** Monotonic time in milliseconds. The payer's clock may be wrong or change. */
  now(): number
  /** Calls after this time. The returned function cancels the call. */
  after(ms: number, call: () => void): () => void
  uuid(): string
  /** Reports an error of the shop's code as if it were not caught. */
  report(error: unknown): void
  /** Writes to the developer's console. */
  complain(...words: unknown[]): void
}

/** Calls after this time, unless the signal aborts first. The returned function cancels the call. */
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
