/**
 * Changes the page without a visible jump. A field in which the payer is typing stays at its position on the
 * screen: content that appears above it is scrolled past. Otherwise, parts that move are shown again as if
 * they were new.
 */
export function withoutLayoutJump<Result>(
  { parts, isTyping }: { parts: readonly HTMLElement[]; isTyping: boolean },
  change: () => Result,
): Result {
  const focused = document.activeElement
  const tops = new Map([...parts, ...(focused ? [focused] : [])].map((part) => [part, topOf(part)]))
  const result = change()
  // A removed field cannot be in use.
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
  // A layout without the parts is needed to make them new.
  document.body.getBoundingClientRect()
  for (const part of shown) part.hidden = false
}
