import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'

/** Icons use the colour of their text and are hidden from screen readers, because the text says the same. */
export const lockIcon: Html = html`<svg class="lock" viewBox="0 0 16 16" aria-hidden="true"><rect x="3" y="7" width="10" height="7" rx="1.75"/><path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2"/></svg>`

/** Icon of the outcome: a ring with all signs. The stylesheet shows the one for the state. */
export const multiStateStatusIcon: Html = html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path class="arc" d="M24 3a21 21 0 0 1 21 21"/><path class="tick" pathLength="1" d="m15 24.5 6.5 6.5L33.5 18"/><path class="bang" d="M24 14.5v12M24 33v.1"/><path class="undo" d="M19 15l-6 6 6 6M13.500 21H28a6.500 6.500 0 0 1 0 13h-6"/><path class="hands" d="M24 13.5V24l6.5 4"/></svg>`

/** Position of the security code: on the back of most cards, on the front of American Express. */
export const cvcOnBackIcon: Html = html`<svg class="code-place" data-place="back" viewBox="0 0 96 60" aria-hidden="true"><rect class="face" x="1" y="1" width="94" height="58" rx="6"/><path class="stripe" d="M1 10h94v11H1z"/><path class="paper" d="M8 29h58v12H8z"/><path class="script" d="M13 36.500q3-4 6 0t6 0t6 0t6 0"/><rect class="spot" x="62" y="26" width="26" height="18" rx="9"/><path class="digits" d="M69 35h.1M75 35h.1M81 35h.1"/></svg>`

export const cvcOnFrontIcon: Html = html`<svg class="code-place" data-place="front" viewBox="0 0 96 60" aria-hidden="true"><rect class="face" x="1" y="1" width="94" height="58" rx="6"/><rect class="paper" x="9" y="20" width="13" height="10" rx="2"/><path class="script" d="M10 42h9m4 0h17m4 0h13M10 51h28"/><rect class="spot" x="57" y="17" width="32" height="18" rx="9"/><path class="digits" d="M64 26h.1M70 26h.1M76 26h.1M82 26h.1"/></svg>`
