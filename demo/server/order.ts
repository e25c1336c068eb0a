import type { Random } from '../../kit/security/random.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import type { Good } from './goods.ts'
import { goods, maxQuantity, shopCurrency } from './goods.ts'

/** An order as the shop stores it. A real shop has a table of orders. */
export interface ShopOrder {
  /** Random, so that ids do not repeat after a restart: payments refer to them. */
  id: string
  /** Visitor who placed it. */
  visitor: string
  lines: readonly OrderLine[]
  amountMinor: number
  currency: string
  /** Transaction that paid the order, after the server's own check or a signed webhook. */
  paidBy: number | undefined
  /** True if a webhook has reported the payment. */
  isWebhookReceived: boolean
}

export interface OrderLine {
  good: Good
  quantity: number
  priceMinor: number
}

/** The basket in a request, or its error. */
export type BasketReading = { lines: OrderLine[] } | { wrong: LocalizedText }

const wrong: LocalizedText = {
  tr: `Sepet okunamadı. Her ürünü bir kez, 1 ile ${maxQuantity} arasında bir adetle gönderin.`,
  en: `The basket could not be read. Send each product once, with a quantity from 1 to ${maxQuantity}.`,
}

/** Reads `[{ id, quantity }]`. All other fields, above all prices, are ignored. */
export function readBasketItems(items: unknown): BasketReading {
  if (!Array.isArray(items) || items.length === 0 || items.length > goods.length) return { wrong }
  const lines = items.flatMap(lineOf)
  const isWhole = lines.length === items.length
  const isOnceEach = new Set(lines.map(({ good }) => good)).size === lines.length
  return isWhole && isOnceEach ? { lines } : { wrong }
}

function lineOf(item: unknown): OrderLine[] {
  const { id, quantity } = (item ?? {}) as { id?: unknown; quantity?: unknown }
  const good = goods.find((each) => each.id === id)
  if (!good || !Number.isInteger(quantity)) return []
  const count = Number(quantity)
  return count >= 1 && count <= maxQuantity
    ? [{ good, quantity: count, priceMinor: good.priceMinor * count }]
    : []
}

/** The newest orders, in memory only. */
export class OrderStore {
  readonly #orders = new Map<string, ShopOrder>()
  readonly #random: Random
  readonly #atMost: number

  constructor(random: Random, atMost = 500) {
    this.#random = random
    this.#atMost = atMost
  }

  make(visitor: string, lines: readonly OrderLine[]): ShopOrder {
    const id = `K-${this.#random.bytes(4).toString('hex').toUpperCase()}`
    const amountMinor = lines.reduce((sum, { priceMinor }) => sum + priceMinor, 0)
    const order: ShopOrder = {
      id,
      visitor,
      lines,
      amountMinor,
      currency: shopCurrency,
      paidBy: undefined,
      isWebhookReceived: false,
    }
    this.#orders.set(id, order)
    const [oldest] = this.#orders.keys()
    if (this.#orders.size > this.#atMost && oldest !== undefined) this.#orders.delete(oldest)
    return order
  }

  byId(id: string): ShopOrder | undefined {
    return this.#orders.get(id)
  }

  /** The order with this id, if this visitor placed it. */
  ofVisitor(visitor: string, id: string): ShopOrder | undefined {
    const order = this.byId(id)
    return order?.visitor === visitor ? order : undefined
  }
}

/**
 * Options of the payment of an order, for the payment element and for the API. Product names are in the
 * language of the page.
 */
export function paymentOptionsOf(order: ShopOrder, language: Language) {
  return {
    amount: order.amountMinor,
    currency: order.currency,
    products: order.lines.map(({ good, quantity, priceMinor }) => ({
      product_name: quantity === 1 ? good.name[language] : `${good.name[language]} × ${quantity}`,
      description: good.about[language],
      price: priceMinor,
    })),
    metadata: [{ key: 'order', value: order.id }],
  }
}
