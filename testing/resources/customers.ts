import type { Resource } from './resource.ts'

const least = { name: 'Ayşe', lastname: 'Işık', email: 'ayse.isik@example.com', phone: '+905321234567' }

export const customers: Resource = {
  path: '/v1/customers',
  table: 'customers',
  sentences: {
    created: { tr: 'Müşteri oluşturuldu.', en: 'The customer was created.' },
    updated: { tr: 'Müşteri güncellendi.', en: 'The customer was updated.' },
    deleted: { tr: 'Müşteri silindi.', en: 'The customer was deleted.' },
  },
  least,
  whole: {
    ...least,
    country: 'TR',
    city: 'İstanbul',
    district: 'Kadıköy',
    address: 'Moda Cad. 12/3',
    zip_code: '34710',
    metadata: { order: 'A-1', vip: true },
  },
  clearable: ['address', 'zip_code', 'city', 'district'],
  longest: {
    name: '😀'.repeat(100),
    lastname: '😀'.repeat(100),
    email: `${'a'.repeat(64)}@${`${'b'.repeat(61)}.`.repeat(3)}com`,
    city: '😀'.repeat(100),
    district: '😀'.repeat(100),
    address: '😀'.repeat(500),
    zip_code: '😀'.repeat(20),
  },
  wrong: {
    name: 'x'.repeat(101),
    email: 'x',
    phone: '05321234567',
    country: 'UK',
    city: 5,
    address: 'x'.repeat(501),
    metadata: { a: null },
  },
  readOnly: { sent: { created_via_payment: true }, response: { created_via_payment: false } },
  others: {
    name: 'Ali',
    lastname: 'Kaya',
    email: 'ali@example.org',
    phone: '+4930901820',
    country: 'FR',
    city: 'Lyon',
    district: '3e',
    address: '1, rue X',
    zip_code: '69003',
  },
  change: {
    sent: { lastname: 'Yılmaz', country: 'de' },
    response: {
      lastname: 'Yılmaz',
      name_lastname: 'Ayşe Yılmaz',
      country: 'DE',
      phone_code: '+49',
      country_flag_url: 'http://localhost:4242/flags/de.svg',
    },
  },
  sameOtherwise: { country: 'tr', phone: '+90 532 123 45 67' },
  search: {
    title: 'lastname',
    titleWord: 'ISIK',
    filters: 'q, name, lastname, email, phone, country, city, created_from, created_to, after, per_page',
    wordFilters: ['q', 'name', 'lastname', 'email', 'phone', 'city'],
    matchingQueries: ['', 'q=ayse', 'lastname=isik', 'country=TR'],
    edit: {
      from: { name: 'Eskiad' },
      to: { name: 'Yeniad', phone: '+4930901827' },
      matchingQueries: ['name=yeniad', 'phone=%2B4930901827'],
      missing: ['name=eskiad'],
    },
    faulty: { query: 'per_page=0&nmae=a&country=ZZ', names: ['country', 'per_page', 'nmae'] },
  },
}
