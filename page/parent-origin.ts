/** Whether the window above is one of ours. Of what is somebody else's not even the address can be read. */
export function isParentSameOrigin(): boolean {
  try {
    return window.parent !== window && window.parent.location.origin === window.location.origin
  } catch {
    return false
  }
}
