/**
 * Changes something on the page without anything jumping. The field in which the payer is typing stays where it is on
 * the screen: what appears above it is scrolled past. Where nobody is typing, parts that would be elsewhere now are shown
 * as if they were new there.
 */
export function withoutLayoutJump<Result>(
  { parts, isTyping }: { parts: readonly HTMLElement[]; isTyping: boolean },
  change: () => Result,
): Result {
  const focused = document.activeElement
  const tops = new Map([...parts, ...(focused ? [focused] : [])].map((part) => [part, topOf(part)]))
  const result = change()
  // A field that is gone is typed in by nobody.
  if (isTyping && focused && focused.getClientRects().length > 0) {
    const shift = topOf(focused) - (tops.get(focused) ?? 0)
    if (shift !== 0) window.scrollBy({ top: shift, behavior: 'instant' })
  } else {
    reshow(parts.filter((part) => topOf(part) !== tops.get(part)))
    if (focused instanceof HTMLElement && focused !== document.activeElement)
      focused.focus({ preventScroll: true })
  }
  return result
}

function topOf(part: Element): number {
  return part.getBoundingClientRect().top
}

function reshow(parts: readonly HTMLElement[]): void {
  const shown = parts.filter(({ hidden }) => !hidden)
  for (const part of shown) part.hidden = true
  // Only what was laid out without them makes them new.
  document.body.getBoundingClientRect()
  for (const part of shown) part.hidden = false
}
