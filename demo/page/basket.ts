import { createElement, priceText, requiredElement } from './page.ts'
import { loadFromSession, saveInSession } from './session-storage.ts'

/** Quantity of each product. The server decides the price; the sum here is only for display. */
let counts = new Map<string, number>()

interface Good {
  id: string
  name: string
  priceMinor: number
  count: HTMLElement
  less: HTMLButtonElement
  more: HTMLButtonElement
}

let goods: Good[] = []

export function mountBasket(): void {
  goods = [...document.querySelectorAll<HTMLElement>('.good')].map(goodOf)
  for (const good of goods) {
    good.less.addEventListener('click', () => change(good, -1))
    good.more.addEventListener('click', () => change(good, 1))
  }
  readBasket()
}

/** Shows the stored basket, which a payment empties. */
export function readBasket(): void {
  counts = new Map(loadFromSession<[string, number][]>('basket', []))
  show()
}

export function itemsInBasket(): { id: string; quantity: number }[] {
  return goods.flatMap(({ id }) => {
    const quantity = counts.get(id) ?? 0
    return quantity > 0 ? [{ id, quantity }] : []
  })
}

function goodOf(card: HTMLElement): Good {
  const part = <Part extends HTMLElement>(name: string) => card.querySelector(name) as Part
  return {
    id: card.dataset['good'] ?? '',
    name: card.dataset['name'] ?? '',
    priceMinor: Number(card.dataset['price']),
    count: part('.count'),
    less: part('.less'),
    more: part('.more'),
  }
}

function change({ id, more }: Good, by: number): void {
  const most = Number(more.dataset['most'])
  counts.set(id, Math.min(most, Math.max(0, (counts.get(id) ?? 0) + by)))
  saveInSession('basket', [...counts])
  show()
}

function show(): void {
  let totalMinor = 0
  const lines = []
  for (const { id, name, priceMinor, count, less, more } of goods) {
    const quantity = counts.get(id) ?? 0
    count.textContent = String(quantity)
    less.disabled = quantity === 0
    more.disabled = quantity >= Number(more.dataset['most'])
    if (quantity === 0) continue
    totalMinor += quantity * priceMinor
    const price = createElement('span', 'price', priceText(quantity * priceMinor))
    lines.push(
      createElement(
        'li',
        '',
        createElement('span', '', quantity === 1 ? name : `${name} × ${quantity}`),
        price,
      ),
    )
  }
  requiredElement('lines', HTMLElement).replaceChildren(...lines)
  requiredElement('total', HTMLElement).textContent = priceText(totalMinor)
  requiredElement('basket-empty', HTMLElement).hidden = lines.length > 0
  requiredElement('basket-full', HTMLElement).hidden = lines.length === 0
}
