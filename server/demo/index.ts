export { shopApp } from './app.ts'
export type { ShopOptions, TryCard } from './shop.ts'
export { Shop } from './shop.ts'
