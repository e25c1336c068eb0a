import type { ResourceFacts } from './resource.ts'

const least = { product_name: 'Türk kahvesi', price: '18990' }

export const products: ResourceFacts = {
  path: '/v1/products',
  table: 'products',
  sentences: {
    created: { tr: 'Ürün oluşturuldu.', en: 'The product was created.' },
    updated: { tr: 'Ürün güncellendi.', en: 'The product was updated.' },
    deleted: { tr: 'Ürün silindi.', en: 'The product was deleted.' },
  },
  least,
  whole: {
    ...least,
    currency_code: 'TRY',
    description: 'Taze çekilmiş.',
    metadata: { sku: 'A-1', vip: true },
  },
  shown: {
    product_name: 'Türk kahvesi',
    price: 18990,
    formatted_price: '189,90',
    currency_code: 'TRY',
    quantity: 1,
    description: 'Taze çekilmiş.',
    product_image: null,
    system_id: 1,
  },
  clearable: ['description'],
  longest: { product_name: '😀'.repeat(100), description: 'ş'.repeat(1000) },
  wrong: {
    product_name: 'x'.repeat(101),
    price: '12.0',
    currency_code: 'JPY',
    description: 'x'.repeat(1001),
    metadata: { a: null },
  },
  readOnly: {
    sent: { quantity: 7, system_id: 3, product_image: 'x' },
    response: { quantity: 1, system_id: 1, product_image: null },
  },
  others: { product_name: 'Çay', price: 500, currency_code: 'EUR', description: 'Demli.' },
  change: { sent: { price: '1000' }, response: { price: 1000, formatted_price: '10,00' } },
  sameOtherwise: { currency_code: 'try', price: 18990 },
  search: {
    title: 'product_name',
    titleWord: 'turk',
    filters: 'q, product_name, currency_code, price, created_from, created_to, after, per_page',
    wordFilters: ['q', 'product_name'],
    matchingQueries: ['', 'q=kahve', 'product_name=turk', 'currency_code=TRY', 'price=18990'],
    edit: {
      from: { product_name: 'Eskiad', price: 777 },
      to: { product_name: 'Yeniad', price: 888, currency_code: 'CHF' },
      matchingQueries: ['product_name=yeniad', 'price=888', 'currency_code=CHF'],
      missing: ['product_name=eskiad', 'price=777'],
    },
    faulty: {
      query: 'per_page=101&x=a&currency_code=JPY&price=1.0',
      names: ['currency_code', 'price', 'per_page', 'x'],
    },
  },
}
