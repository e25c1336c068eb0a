export { shopApp } from './app.ts'
export type { ShopOptions, TryCard } from './shop.ts'
export { DemoShop } from './shop.ts'
