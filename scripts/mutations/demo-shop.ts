import type { Area } from './mutation.ts'

export const demoShop: Area = {
  'order-of-another-visitor': {
    guard: 'A visitor reads only the orders that they placed.',
    file: 'demo/server/order.ts',
    find: 'return order?.visitor === visitor ? order : undefined',
    replace: 'return order',
    noticedBy: 'demo/server/shop.test.ts',
  },
  'payment-of-another-order': {
    guard: 'The check of an order shows nothing of a transaction for another order.',
    file: 'demo/server/check-order.ts',
    find: '!order || (known && known !== order)',
    replace: '!order',
    noticedBy: 'demo/server/shop.test.ts',
  },
  'payment-of-another-visitor': {
    guard: 'A transaction that a visitor guesses is shown to nobody.',
    file: 'demo/server/shop.ts',
    find: 'owner === (visitor ?? owner)',
    replace: 'true',
    noticedBy: 'demo/server/live-feed.test.ts',
  },
  'feed-of-another-visitor': {
    guard: 'The live feed sends a browser only the entries of its own visitor.',
    file: 'demo/server/live-feed.ts',
    find: 'if (own === visitor) this.#write(listener, line)',
    replace: 'this.#write(listener, line)',
    noticedBy: 'demo/server/live-feed.test.ts',
  },
  'forged-webhook': {
    guard: 'A webhook without a valid signature changes nothing and is not shown.',
    file: 'demo/server/receive-webhook.ts',
    find: 'isValidSignature(webhook.secret, headers, body, clock.now()) ? readEvent(body) : undefined',
    replace: 'readEvent(body)',
    noticedBy: 'demo/server/live-feed.test.ts',
  },
}
