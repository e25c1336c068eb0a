import { element } from './element.ts'
import type { ChargeText } from './rules/page-state.ts'

const toggle = element('order-toggle', HTMLButtonElement)
const label = element('order-toggle-label', HTMLElement)
const extra = element('extra', HTMLElement)

/** Folds the order on a phone; it opens on touch. On a wide screen it stays in sight beside the form. */
export function mountOrder(): void {
  const order = element('order', HTMLElement)
  new ResizeObserver(() => order.style.setProperty('--height', `${order.offsetHeight}px`)).observe(order)
  for (const picture of document.querySelectorAll<HTMLImageElement>('.mark img')) removeIfBroken(picture)
  toggle.addEventListener('click', () => {
    const isOpen = toggle.getAttribute('aria-expanded') !== 'true'
    toggle.setAttribute('aria-expanded', String(isOpen))
    label.textContent = toggle.dataset[isOpen ? 'close' : 'open'] ?? ''
  })
  // A printed receipt lists all items.
  window.addEventListener('beforeprint', () =>
    document.getElementById('more-items')?.setAttribute('open', ''),
  )
}

/** Shows the total in every place that contains it. */
export function showCharge(charge: ChargeText): void {
  for (const id of ['total', 'total-folded']) element(id, HTMLElement).textContent = charge.total
  element('extra-amount', HTMLElement).textContent = charge.extra
  extra.hidden = charge.extra === null
}

/** Shows the letter below a picture that does not arrive. WebKit would draw a broken picture over it. */
function removeIfBroken(picture: HTMLImageElement): void {
  if (picture.complete && picture.naturalWidth === 0) picture.remove()
  else picture.addEventListener('error', () => picture.remove())
}
