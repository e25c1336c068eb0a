/** Tells a reader who listens what others see happen. The place is on the page from the start, else it is not heard. */

/** @param {string} sentence */
export function announce(sentence) {
  const place = document.querySelector('#news')
  if (place) place.textContent = sentence
}
