/**
 * Announces changes to screen readers. The live region must be on the page from the start, otherwise it is
 * not read.
 */

/** @param {string} sentence */
export function announce(sentence) {
  const place = document.querySelector('#news')
  if (place) place.textContent = sentence
}
