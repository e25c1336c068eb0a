/**
 * Changes the page without a visible jump. A field in which the payer is typing stays at its position on the
 * screen: content that appears above it is scrolled past. Other parts that move are shown again as if they
 * were new.
 */
export function withoutLayoutJump<Result>(
  { parts, isTyping }: { parts: readonly HTMLElement[]; isTyping: boolean },
  change: () => Result,
): Result {
  const focused = document.activeElement
  const tops = new Map([...parts, ...(focused ? [focused] : [])].map((part) => [part, topOf(part)]))
  const result = change()
  // A removed field cannot be in use.
  const isInUse = isTyping && focused && focused.getClientRects().length > 0
  if (isInUse) {
    const shift = topOf(focused) - (tops.get(focused) ?? 0)
    if (shift !== 0) window.scrollBy({ top: shift, behavior: 'instant' })
  }
  const moved = parts.filter((part) => topOf(part) !== tops.get(part))
  reshow(isInUse ? moved.filter((part) => !part.contains(focused)) : moved)
  if (!isInUse && focused instanceof HTMLElement && focused !== document.activeElement)
    focused.focus({ preventScroll: true })
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
