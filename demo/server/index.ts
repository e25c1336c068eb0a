export { shopApp } from './app.ts'
export type { DemoCard, DemoShopOptions } from './shop.ts'
export { DemoShop } from './shop.ts'
