/** True if the parent window has our origin. The address of another site's window cannot be read. */
export function isParentSameOrigin(): boolean {
  try {
    return window.parent !== window && window.parent.location.origin === window.location.origin
  } catch {
    return false
  }
}
