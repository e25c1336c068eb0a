import { raw } from '../kit/runtime/sql.ts'
import type { Customer } from '../server/customers/index.ts'
import { customerSearchVector, customers } from '../server/customers/index.ts'
import { noTimeouts, openDatabase } from '../server/database/pool.ts'
import type { Merchant } from '../server/merchants/index.ts'
import { createMerchant } from '../server/merchants/index.ts'
import { seed } from '../testing/seed/seed.ts'
import type { BenchEnvironment } from './environment.ts'
import { tokenHeaders } from './environment.ts'
import type { HttpRequest } from './request.ts'

const batchSize = 5_000

/** Names with a realistic distribution: a few very common ones and a long tail. */
const names =
  'Mehmet Mustafa Ahmet Ali Hüseyin Hasan Fatma Ayşe Emine Hatice Zeynep Elif İbrahim İsmail Osman Yusuf Murat Ömer Ramazan Halil Süleyman Abdullah Mahmut Recep Salih Fatih Kadir Emre Hakan Adem Meryem Şerife Zehra Sultan Hanife Merve Havva Zeliha Esra Fadime Özlem Hacer Yasemin Hülya Cemile Sevim Gülsüm Leyla Dilek Büşra Aysel Songül Kübra Halime Esma Aynur Hayriye Kadriye Tuğba Işıl'.split(
    ' ',
  )
const lastnames =
  'Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek Polat Korkmaz Çakır Erdoğan Acar Şen Aktaş Güler Yalçın Güneş Bozkurt Bulut Keskin Ünal Turan Gül Özer Işık Kaplan Avcı Sarı Tekin Taş Köse Yüksel Ateş Aksoy'.split(
    ' ',
  )
const syllables =
  'ak al ar bak bal ber can cem dal dem den dur er ev gen gör gün kar kur lar man mer nur oğ öz pak sal sar ser sel tan tar tek tur uç ur var yan yel yıl yur zan zer'.split(
    ' ',
  )
const domains = [
  'gmail.com',
  'gmail.com',
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
]
const cities =
  'İstanbul İstanbul İstanbul Ankara Ankara İzmir Bursa Antalya Konya Adana Şanlıurfa Gaziantep Kocaeli Mersin Diyarbakır Hatay Manisa Kayseri Samsun Balıkesir'.split(
    ' ',
  )

/** Pseudo-random numbers that are the same in every run, so that runs can be compared. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/**
 * The n-th name of a list is half as frequent as the n/2-th. One in five customers has a name from the tail.
 */
function pick(list: readonly string[], roll: (sides: number) => number): string {
  if (roll(5) === 0) return made(roll)
  return list[Math.floor(list.length ** (roll(10_000) / 10_000)) - 1] ?? made(roll)
}

function made(roll: (sides: number) => number): string {
  const parts = Array.from({ length: 2 + roll(2) }, () => syllables[roll(syllables.length)] ?? '')
  const word = parts.join('')
  return word.charAt(0).toLocaleUpperCase('tr') + word.slice(1)
}

export interface LargeShop {
  secretKey: string
  ids: number[]
}

const shops = new WeakMap<BenchEnvironment, Promise<LargeShop>>()

/** Merchant with very many customers, created for the first measure that needs it. */
export function largeShop(environment: BenchEnvironment): Promise<LargeShop> {
  const shop = shops.get(environment) ?? makeShop(environment)
  shops.set(environment, shop)
  return shop
}

/** Search filters: common words, rare words, several words together, and words without a match. */
export const searchFilters = {
  common: [
    'name=meh',
    'lastname=yil',
    'q=ays',
    'q=gmail',
    'city=istanbul',
    'q=kaya',
    'name=elif',
    'q=mustafa',
    'email=hot',
  ],
  rare: [
    'name=tarpak',
    'lastname=uryel',
    'name=songul&city=hatay&lastname=atis',
    'q=zerzan',
    'phone=05321234',
    'name=ogvar',
    'lastname=mersel',
    'q=canpaksel',
  ],
  /** Common words that occur together in few customers, as typed to find one person. */
  several: ['q=mehmet+yilmaz+ankara', 'q=ayse+kaya', 'name=ali&lastname=demir&city=bursa'],
  unmatched: [
    'name=xqz',
    'q=wwwx',
    'lastname=qqq',
    'email=nobody@nowhere',
    'q=jjjjjj',
    'city=wqx',
    'phone=0999',
  ],
}

export async function searchRequests(
  filters: readonly string[],
  environment: BenchEnvironment,
): Promise<HttpRequest[]> {
  const { secretKey } = await largeShop(environment)
  const headers = await tokenHeaders(environment, secretKey)
  return filters.map((filter) => ({ method: 'GET', path: `/v1/customers/search?${filter}`, headers }))
}

async function makeShop(environment: BenchEnvironment): Promise<LargeShop> {
  const { merchant, secretKey } = await createMerchant(environment.services, { name: 'Large shop' })
  return { secretKey, ids: await loadCustomers(environment, merchant) }
}

/**
 * Fills the table with `environment.customers` customers of one merchant, the newest a minute old. Returns
 * their ids.
 */
async function loadCustomers(
  { services, databaseUrl, customers: count }: BenchEnvironment,
  merchant: Merchant,
): Promise<number[]> {
  const database = openDatabase({ url: databaseUrl }, 1, services.log, noTimeouts)
  const roll = dice(20_261_115)
  const nowMs = services.clock.now().getTime()
  const ids: number[] = []
  await database.sql.run(raw('drop index customers_words'))
  for (let done = 0; done < count; done += batchSize) {
    const batch: (Customer & { words: string })[] = []
    for (let index = done; index < Math.min(count, done + batchSize); index++) {
      const customer = newCustomer(
        merchant,
        await services.ids.next(),
        new Date(nowMs - (count - index) * 60_000),
        roll,
      )
      ids.push(customer.id)
      batch.push({ ...customer, words: customerSearchVector(customer) })
    }
    await seed(database.sql, customers, batch)
    if ((done + batchSize) % 100_000 === 0) process.stderr.write(`${done + batchSize} customers\n`)
  }
  await database.sql.run(
    raw('create index customers_words on customers using gin (words) with (gin_pending_list_limit = 1024)'),
  )
  await database.sql.run(raw('vacuum analyze customers'))
  await database.close()
  return ids
}

function newCustomer(merchant: Merchant, id: number, at: Date, roll: (sides: number) => number): Customer {
  const [name, lastname] = [pick(names, roll), pick(lastnames, roll)]
  const local = `${name}.${lastname}${roll(1000)}`.toLocaleLowerCase('tr').replaceAll(/[^a-z0-9.]/g, 'x')
  return {
    merchantId: merchant.id,
    id,
    name,
    lastname,
    email: `${local}@${domains[roll(domains.length)]}`,
    phone: `+9053${roll(10)}${1_000_000 + roll(9_000_000)}`,
    country: 'TR',
    city: cities[roll(cities.length)] ?? null,
    district: made(roll),
    address: `${made(roll)} Mah. ${made(roll)} Cad. No ${roll(200)}`,
    zipCode: String(10_000 + roll(70_000)),
    createdViaPayment: false,
    metadata: [],
    changes: [],
    createdAt: at,
    updatedAt: at,
  }
}
