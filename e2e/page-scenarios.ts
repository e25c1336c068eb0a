import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawing } from '../testing/pictures/sample-pictures.ts'
import { agePayment, untilBankAnswered } from './database.ts'
import type { Shop } from './shop.ts'
import { makeCustomer, makeProduct, makeShop, runVezne } from './shop.ts'
import type { PayerVisit, VisitOptions } from './visit.ts'
import { refocusWindow } from './visit.ts'
import { interceptionShift } from './watch.ts'

/** State that a payer can see, with the steps that lead to it. */
export interface PageScenario {
  name: string
  /** Description of the visible state. */
  caption: string
  options?: () => VisitOptions | Promise<VisitOptions>
  reach(visit: PayerVisit): Promise<void>
  /** True if scripts are off. */
  isScriptless?: boolean
  /** True if the content is made for one window width, so that each width needs a new visit. */
  isSized?: boolean
}

const products = JSON.stringify([
  { product_name: 'Türk kahvesi, 250 g', price: 38_990, description: 'Taze kavrulmuş, orta çekim' },
  { product_name: 'Bakır cezve', price: 74_510, description: 'El dövmesi, iki kişilik' },
  { product_name: 'Kargo', price: 11_500 },
])
const order = { amount: '125000', products }
const thirtyProducts = JSON.stringify(
  Array.from({ length: 30 }, (_, index) => ({ product_name: `Defter, ${index + 1}. boy`, price: 10_000 })),
)
const longName = 'Anadolu El Sanatları ve Ev Gereçleri Üretim Pazarlama Sanayi ve Ticaret Anonim Şirketi'
const contacts = [
  ...['--name', 'Kuru Kahveci', '--website', 'https://kahve.example'],
  ...['--support-email', 'yardim@kahve.example', '--support-phone', '+902125550123'],
]
const redirect = { redirect_url: 'http://shop.example/siparis' }

const quick = '5200000000002235'
const asking = '5200000000002151'
const bonus = '5400360000000003'
const world = '5451030000000000'

/** One shop per process and settings, because creating a merchant takes a while. */
const shops = new Map<string, Promise<Shop>>()
function shopOnce(...settings: string[]): Promise<Shop> {
  const key = settings.join(' ')
  const made = shops.get(key) ?? makeShop(...settings)
  shops.set(key, made)
  return made
}

async function ofCustomer(form: Record<string, string>, shop?: Shop): Promise<VisitOptions> {
  const person = { name: 'Ada', lastname: 'Ay', email: 'ada@example.com', phone: '+905321112233' }
  const customer = await makeCustomer(person, shop)
  return { form: { ...form, customer_id: String(customer.id) }, ...(shop ? { shop } : {}) }
}

/** An order of registered products with images, at a merchant with a logo. */
async function orderWithPictures(): Promise<VisitOptions> {
  const shop = await shopOnce('--name', 'Kuru Kahveci')
  const file = join(mkdtempSync(join(tmpdir(), 'logo-')), 'logo.png')
  writeFileSync(file, await drawing(400, 400).png().toBuffer())
  await runVezne('merchant', 'logo', shop.id, file)
  const form: Record<string, string> = { amount: '125000' }
  const made = [
    { product_name: 'Türk kahvesi, 250 g', price: '38990', description: 'Taze kavrulmuş, orta çekim' },
    { product_name: 'Bakır cezve, el dövmesi, iki kişilik, kalaylı, ahşap saplı', price: '74510' },
    { product_name: 'Kargo', price: '11500' },
  ]
  for (const [index, fields] of made.entries()) {
    const image =
      index < 2
        ? await drawing(640, 360 + 120 * index)
            .png()
            .toBuffer()
        : undefined
    form[`product_ids[${index}]`] = String(await makeProduct(fields, image, shop))
  }
  return ofCustomer(form, shop)
}

async function choose(visit: PayerVisit, number: string, count: number): Promise<void> {
  await visit.type(number)
  await visit.page.check(`input[name=installment][value="${count}"]`)
}

async function payQuick({ pay, sees }: PayerVisit): Promise<void> {
  await pay(quick)
  await sees('paid')
}

/** States before a card is sent. */
const forms: PageScenario[] = [
  {
    name: 'form',
    caption: 'The form, as the payer first sees it',
    options: () => ({ form: order }),
    reach: async () => undefined,
  },
  {
    name: 'form-of-a-customer',
    caption: 'The merchant sent the payer’s details: the page asks for the card only',
    options: () => ofCustomer(order),
    reach: async () => undefined,
  },
  {
    name: 'long-order',
    caption: 'Thirty products of a merchant with a long name',
    options: async () =>
      ofCustomer({ amount: '300000', products: thirtyProducts }, await shopOnce('--name', longName)),
    reach: async () => undefined,
  },
  {
    name: 'pictures',
    caption: 'The merchant’s logo, and products of which all but one have an image',
    options: orderWithPictures,
    reach: async ({ page }) => page.locator('.head img').waitFor(),
  },
  {
    name: 'order-open',
    caption: 'On a phone the order opens on touch',
    options: () => ({ form: order }),
    reach: async ({ page }) => {
      const toggle = page.locator('#order-toggle')
      await page.setViewportSize({ width: 375, height: 800 })
      await toggle.click()
    },
  },
  {
    name: 'faults',
    caption: 'Faults beside each field',
    options: () => ({ form: order }),
    reach: async ({ page }) => {
      await page.fill('#number', '4000000000002700')
      await page.fill('#email', 'ada@')
      await page.click('#pay')
      await page.locator('#number-fault:not([hidden])').waitFor()
    },
  },
  {
    name: 'code-help',
    caption: 'Where the security code is, and the brand of the card',
    options: () => ofCustomer(order),
    reach: async ({ page }) => {
      await page.fill('#number', '9792030394440796')
      await page.click('#cvc-where')
      await page.locator('#cvc-help:not([hidden])').waitFor()
    },
  },
  {
    name: 'installments',
    caption: 'Installments that the card can choose from',
    options: () => ofCustomer(order),
    reach: (visit) => choose(visit, bonus, 3),
  },
  {
    name: 'installments-at-a-cost',
    caption: 'Installments with their extra cost',
    options: () => ofCustomer(order),
    reach: (visit) => choose(visit, world, 6),
  },
  {
    name: 'expiring',
    caption: 'The last five minutes',
    options: () => ofCustomer(order),
    reach: async ({ id, page }) => {
      await agePayment(id, 26)
      await refocusWindow(page)
      await page.locator('#time-left').waitFor()
    },
  },
]

/** States between sending and the outcome. */
const underWay: PageScenario[] = [
  {
    name: 'sending',
    caption: 'The card is on its way',
    options: () => ofCustomer(order),
    reach: async ({ page, type }) => {
      await page.route(/\/card$/, () => undefined)
      await type(quick)
      await page.click('#pay')
      await page.locator('#pay[aria-busy=true]').waitFor()
    },
  },
  {
    name: 'bank',
    isSized: true,
    caption: 'The bank asks the payer, over the page',
    options: () => ofCustomer(order),
    reach: async ({ pay, bank }) => {
      await pay(asking)
      await bank()
    },
  },
  {
    name: 'go-on',
    caption: 'After a reload the payer can continue the challenge',
    options: () => ofCustomer(order),
    reach: async ({ page, pay, bank }) => {
      await pay(asking)
      await bank()
      await page.reload()
      await page.locator('#go-on').waitFor()
    },
  },
  {
    name: 'asking',
    caption: 'The outcome is unknown',
    options: () => ofCustomer(order),
    reach: async ({ id, pay, sees }) => {
      await pay('4190000000000101')
      await sees('asking')
      await untilBankAnswered(id)
    },
  },
  {
    name: 'declined',
    caption: 'Declined: the reason, what to do, and the attempts left',
    options: () => ofCustomer(order),
    reach: async ({ pay, seesNotice }) => {
      await pay('4111111111111129')
      await seesNotice(/4/)
    },
  },
  {
    name: 'unreachable',
    caption: 'The connection is lost',
    options: async () => ({
      ...(await ofCustomer(order)),
      expected: [/ERR_|Failed to load/, interceptionShift],
    }),
    reach: async ({ page, type, seesNotice }) => {
      await type(quick)
      await page.route(/\/(card|status)$/, (route) => route.abort())
      await page.click('#pay')
      await seesNotice(/./)
    },
  },
]

/** Final states. */
const ends: PageScenario[] = [
  { name: 'paid', caption: 'Paid, with a receipt', options: () => ofCustomer(order), reach: payQuick },
  {
    name: 'paid-in-installments',
    caption: 'Paid in installments',
    options: () => ofCustomer(order),
    reach: async (visit) => {
      await choose(visit, bonus, 6)
      await visit.page.click('#pay')
      await visit.answers()
      await visit.sees('paid')
    },
  },
  {
    name: 'paid-and-leaving',
    caption: 'Paid, and on the way back to the shop',
    options: async () => ({ ...(await ofCustomer({ ...order, ...redirect })), expected: interceptionShift }),
    reach: async (visit) => {
      // A shop without a page leaves the payer here.
      await visit.page.route('http://shop.example/**', (route) => route.fulfill({ status: 204 }))
      await payQuick(visit)
    },
  },
  {
    name: 'held',
    caption: 'Held on the card, not charged',
    options: () => ofCustomer({ ...order, pre_auth: 'true' }),
    reach: async ({ pay, sees }) => {
      await pay(quick)
      await sees('held')
    },
  },
  {
    name: 'partly-refunded',
    caption: 'Paid and partly refunded',
    options: () => ofCustomer(order),
    reach: async (visit) => {
      await payQuick(visit)
      await visit.refund(38_990)
      await visit.page.reload()
      await visit.page.getByText(/bir kısmı iade edildi|Part of your payment was refunded/).waitFor()
    },
  },
  {
    name: 'released',
    caption: 'Held, then released',
    options: () => ofCustomer({ ...order, ...redirect, pre_auth: 'true' }),
    reach: async (visit) => {
      await visit.page.route('http://shop.example/**', (route) => route.fulfill({ status: 204 }))
      await visit.pay(quick)
      await visit.sees('held')
      await visit.resolve(false)
      await visit.page.reload()
      await visit.sees('failed')
    },
  },
  {
    name: 'failed',
    caption: 'No attempt is left',
    options: () => ofCustomer({ ...order, ...redirect }),
    reach: async ({ pay, seesNotice, sees }) => {
      for (const left of [4, 3, 2, 1]) {
        await pay('4129111111111111')
        await seesNotice(new RegExp(`\\b${left}\\b`))
      }
      await pay('4129111111111111')
      await sees('failed')
    },
  },
  {
    name: 'expired',
    caption: 'The page has expired, with the way back',
    options: () => ofCustomer({ ...order, ...redirect }),
    reach: async ({ id, page, sees }) => {
      await agePayment(id, 31)
      await page.reload()
      await sees('expired')
    },
  },
  {
    name: 'expired-without-return',
    caption: 'Expired without a redirect URL: the merchant’s website, e-mail address and phone number',
    options: async () => ofCustomer(order, await shopOnce(...contacts)),
    reach: async ({ id, page, sees }) => {
      await agePayment(id, 31)
      await page.reload()
      await sees('expired')
    },
  },
  {
    name: 'not-found',
    caption: 'No page is at this address',
    options: () => ({ expected: /status of 404/ }),
    reach: async ({ page, url }) => {
      await page.goto(`${url.slice(0, -3)}AAA`)
    },
  },
  {
    name: 'no-script',
    caption: 'A browser that runs no scripts',
    options: () => ({ script: false, form: order }),
    reach: async () => undefined,
    isScriptless: true,
  },
]

const white = ['--name', 'Kuzey Kitabevi', '--white-label', 'true', '--colour', '#7a1f5c']

/** States with white label or a merchant's colour. */
const ofOthers: PageScenario[] = [
  {
    name: 'white-label',
    caption: 'White label, in the merchant’s colour',
    options: async () => ofCustomer(order, await shopOnce(...white)),
    reach: (visit) => visit.type(quick),
  },
  {
    name: 'white-label-paid',
    caption: 'White label, paid',
    options: async () => ofCustomer(order, await shopOnce(...white)),
    reach: payQuick,
  },
  {
    name: 'pale-colour',
    caption: 'A colour that is too pale to read on is corrected',
    options: async () => ofCustomer(order, await shopOnce('--name', 'Limon', '--colour', '#fff34d')),
    reach: (visit) => visit.type(quick),
  },
]

/** All states that a payer can see. */
export const pageScenarios: readonly PageScenario[] = [...forms, ...underWay, ...ends, ...ofOthers]
