import type { Static } from 'typebox'
import {
  resourceSchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { envelopeResponseDefinition, route } from '../../kit/api/route.ts'
import { duplicateEntry, required } from '../../kit/input/complaints.ts'
import type { KeyValuePair } from '../../kit/input/fields.ts'
import {
  booleanField,
  idField,
  listField,
  moneyField,
  objectSchema,
  optional,
  parsedTextField,
  scalarField,
  textField,
} from '../../kit/input/fields.ts'
import { maxUrlLength } from '../../kit/input/http-url.ts'
import { originalListIndex } from '../../kit/input/parse-input.ts'
import type { Complaints } from '../../kit/input/refusals.ts'
import { notPermitted, Refused, serviceUnavailable, validationFailed } from '../../kit/input/refusals.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import { acceptsCurrency } from '../pos/index.ts'
import { productFields } from '../products/index.ts'
import type { Services } from '../services.ts'
import { newPageAddress } from './addresses/page-address.ts'
import { checkRedirectUrl, parseRedirectUrlField } from './addresses/redirect-url.ts'
import type { CustomerAndProductLookupResult, NewPayment } from './records/payment.sql.ts'
import {
  insertPayment,
  insertPaymentIfIdsAndTotalMatch,
  insertPaymentWithIdempotencyKey,
  lookUpCustomerAndProducts,
} from './records/payment.sql.ts'
import type { Payment } from './records/payment.ts'
import { totalMismatchRefusal } from './refusals.ts'
import {
  currencyNotAcceptedComplaint,
  maxProductsPerPayment,
  merchantWithoutThreeDsReason,
  noSuchCustomerComplaint,
  noSuchProductComplaint,
  notPairs,
  notProductIds,
  notProducts,
  productCurrencyMismatchComplaint,
  productsRequiredComplaint,
  tooManyProductsComplaint,
  totalMismatchError,
} from './start-payment-complaints.ts'

const { product_name, price, description: product_description } = productFields

const StartPayment = objectSchema(
  {
    customer_id: optional(
      idField({
        tr: 'Kayıtlı bir müşterinin numarası. Gönderilirse ödeme sayfası müşteri bilgilerini yeniden sormaz. Gönderilmezse sayfa bilgileri sorar ve bu ödeme için yeni bir müşteri oluşturur.',
        en: 'ID of an existing customer. If it is sent, the payment page does not ask for the customer’s details. If not, the page asks for them and creates a new customer for this payment.',
      }),
    ),
    amount: moneyField(
      {
        tr: 'Tutar, en küçük para birimi cinsinden (kuruş, sent): 1000, 10,00 demektir. Ürün gönderilirse fiyatlarının toplamına eşit olmalıdır.',
        en: 'Amount in the minor unit: 1000 means 10.00. If products are sent, their prices must add up to it.',
      },
      { example: 18990 },
    ),
    currency: parsedTextField<string>(
      {
        tr: 'ISO 4217 para birimi kodu. Üye iş yerinin bu para biriminde ödeme alan etkin bir POS’u olmalıdır. Açık anahtarla alınmış bir belirteçle gönderilmezse üye iş yerinin para birimi kullanılır.',
        en: 'ISO 4217 currency code. An active POS of the merchant must accept it. With a token from a public key it is optional; the default is the merchant’s currency.',
      },
      { min: 3, max: 3, parse: parseCurrencyField, example: 'TRY' },
    ),
    redirect_url: optional(
      parsedTextField<string>(
        {
          tr: 'Ödeyenin, ödemeden sonra `transaction_id` ile yönlendirileceği adres. Gönderilmezse Vezne’nin sonuç sayfası gösterilir. Sorgu kısmında yalnızca `transaction_id` bulunabilir.',
          en: 'Address to which the payer is sent after the payment, with `transaction_id`. If it is not sent, Vezne’s own result page is shown. Its query must contain only `transaction_id`.',
        },
        { max: maxUrlLength, parse: parseRedirectUrlField, example: 'https://shop.example/return' },
      ),
    ),
    pre_auth: optional(
      booleanField({
        tr: 'true ise tutar çekilmez, ön provizyon olarak bloke edilir; gönderilmezse false.',
        en: 'True holds the amount as a pre-authorization instead of charging it; default false.',
      }),
    ),
    products: optional(
      listField(
        {
          tr: 'Ödemedeki ürünler; formda JSON metni olarak gönderilir. Ödeme sayfasında gösterilir.',
          en: 'Products of the payment; in a form, as JSON text. They are shown on the payment page.',
        },
        objectSchema({ product_name, price, description: product_description }, 'A product.'),
        { max: maxProductsPerPayment, otherwise: notProducts },
      ),
    ),
    product_ids: optional(
      listField(
        {
          tr: 'Kayıtlı ürünlerin numaraları; iki kez gönderilen ürün iki kez sayılır.',
          en: 'IDs of existing products; a product that is sent twice counts twice.',
        },
        idField({ tr: 'Kayıtlı bir ürünün numarası.', en: 'ID of an existing product.' }),
        { max: maxProductsPerPayment, otherwise: notProductIds },
      ),
    ),
    metadata: optional(
      listField(
        {
          tr: 'İşlemle birlikte saklanan anahtar-değer çiftleri; sonuçta metin olarak döner.',
          en: 'Key-value pairs to store with the transaction; the result returns them as text.',
        },
        objectSchema(
          {
            key: textField(
              {
                tr: 'Anahtar; her anahtar bir kez gönderilebilir.',
                en: 'Key of the pair; each key only once.',
              },
              { max: 40 },
            ),
            value: scalarField(
              {
                tr: 'Değer: metin, sayı veya true/false.',
                en: 'Value of the pair: text, a number or a boolean.',
              },
              { max: 500 },
            ),
          },
          'A pair.',
        ),
        { max: 50, otherwise: notPairs },
      ),
    ),
    description: optional(
      textField({ tr: 'Ödemeyle ilgili açıklama.', en: 'Free text about the payment.' }, { max: 1000 }),
    ),
  },
  undefined,
  { rule: judgeLists },
)

type Input = Static<typeof StartPayment>
type Scope = Payment['startedBy']

const StartedPayment = resourceSchema(
  'StartedPayment',
  { tr: 'Başlatılan ödeme.', en: 'Started payment.' },
  {
    transaction_id: shownIntegerSchema(
      {
        tr: 'İşlem numarası; sonuç yalnızca bu numarayla sorgulanır.',
        en: 'ID of the transaction; the only ID with which its result can be read.',
      },
      10000000000123,
    ),
    payment_page_url: shownTextSchema(
      {
        tr: 'Ödeyenin yönlendirileceği ödeme sayfasının adresi.',
        en: 'Address of the payment page. Send the payer to it.',
      },
      'https://pay.example/p/CRhOcqABCRhOcqB7…',
    ),
    expires_at: shownTimeSchema(
      {
        tr: 'Ödeme sayfasının süresinin dolacağı tarih ve saat.',
        en: 'Time after which the payment page can no longer be used.',
      },
      '2026-11-15T10:00:00+03:00',
    ),
  },
)

export const startPaymentRoute = route({
  method: 'POST',
  url: '/v1/payment/3ds',
  summary: { tr: '3DS ödeme başlat', en: 'Start 3DS payment' },
  description: {
    tr: '3D Secure ile bir ödeme başlatır. Ödeyeni yanıttaki `payment_page_url` adresine yönlendirin; kart bilgilerini yalnızca bu sayfa alır.',
    en: 'Starts a payment with 3-D Secure. Send the payer to the `payment_page_url` in the response; only that page receives the card details.',
  },
  credential: 'any',
  fromBrowsers: true,
  body: StartPayment,
  answer: envelopeResponseDefinition(StartedPayment, {
    tr: 'Ödeme başlatıldı.',
    en: 'The payment was started.',
  }),
  refusals: [totalMismatchRefusal],
  // The payment element sends no currency: its options are those of the contract.
  assumed: (merchant: Merchant, { scope }): Record<string, string> =>
    scope === 'public' ? { currency: merchant.currency } : {},
  objections: (services: Services, merchant: Merchant, { body, key }) =>
    objectionsTo(services, merchant, body, key.scope),
  handle: async (services: Services, merchant: Merchant, { body, key }) =>
    shown(await startPayment(services, merchant, body, key.scope), merchant),
  prepare: async (services: Services, merchant: Merchant, { body, key }) => {
    if (hasCustomerOrProducts(body)) return undefined
    const { payment, pageUrl } = await newPayment(services, merchant, body, key.scope)
    return {
      result: shown({ ...payment, pageUrl }, merchant),
      write: (storedResponse) => insertPaymentWithIdempotencyKey(services.sql, payment, storedResponse),
    }
  },
})

export interface StartPaymentResult extends Pick<Payment, 'id' | 'expiresAt'> {
  pageUrl: string
}

function shown({ id: transactionId, pageUrl, expiresAt }: StartPaymentResult, { timeZone }: Merchant) {
  return {
    transaction_id: transactionId,
    payment_page_url: pageUrl,
    expires_at: isoTime(expiresAt, timeZone),
  }
}

/**
 * Starts a payment in one query, with or without customer and products. Guarantee: the payment is written
 * completely, with its customer and products as they are at that moment, or not at all. If it is refused, all
 * errors are reported together.
 */
export async function startPayment(
  services: NeededServices,
  merchant: Merchant,
  input: Input,
  startedBy: Scope,
): Promise<StartPaymentResult> {
  const { payment, pageUrl } = await newPayment(services, merchant, input, startedBy)
  if (hasCustomerOrProducts(input)) await insertWithCustomerOrProducts(services.sql, payment, input)
  else await insertPayment(services.sql, payment)
  return { id: payment.id, pageUrl, expiresAt: payment.expiresAt }
}

type NeededServices = Pick<Services, 'sql' | 'ids' | 'clock' | 'random' | 'cache' | 'config'>

/** A payment to be written. Its customer and products are not looked up yet; everything else is checked. */
async function newPayment(
  services: NeededServices,
  merchant: Merchant,
  input: Input,
  startedBy: Scope,
): Promise<{ payment: NewPayment; pageUrl: string }> {
  if (!merchant.supports3d) throw new Refused(notPermitted, { because: merchantWithoutThreeDsReason })
  const complaints = await ownObjections(services, merchant, input, startedBy)
  if (complaints.size > 0) {
    throw new Refused(validationFailed, {
      complaints: await objectionsTo(services, merchant, input, startedBy),
    })
  }
  const { ids, clock, random, config } = services
  if (clock.fault) throw new Refused(serviceUnavailable, { retryAfterS: 2 })
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + merchant.pageLifetimeMinutes * 60_000)
  const ownedId = { merchantId: merchant.id, id: await ids.next() }
  const { url: pageUrl, pageKey } = newPageAddress(config.pageUrl, ownedId, random)
  const payment = { ...ownedId, ...partsOf(input), pageKey, startedBy, createdAt, expiresAt }
  const itemsMinor = totalOf(payment.items)
  if (!hasCustomerOrProducts(input) && payment.items.length > 0 && itemsMinor !== payment.amountMinor)
    throw totalMismatchError(input, itemsMinor)
  return { payment, pageUrl }
}

/** Payment fields from the merchant's input. */
function partsOf(input: Input) {
  return {
    amountMinor: input.amount,
    currency: input.currency,
    preAuth: input.pre_auth ?? false,
    customerId: input.customer_id ?? null,
    items: (input.products ?? []).map(({ product_name, price, description = null }) => ({
      product_name,
      price,
      description,
    })),
    metadata: input.metadata ?? [],
    description: input.description ?? null,
    redirectUrl: input.redirect_url ?? null,
  }
}

function totalOf(items: NewPayment['items']): number {
  return items.reduce((sum, item) => sum + item.price, 0)
}

async function insertWithCustomerOrProducts(
  sql: Services['sql'],
  payment: NewPayment,
  input: Input,
): Promise<void> {
  const productIds = input.product_ids ?? []
  const itemsMinor = totalOf(payment.items)
  const hasItems = payment.items.length + productIds.length > 0
  const customerAndProducts = await insertPaymentIfIdsAndTotalMatch(sql, payment, {
    productIds,
    itemsMinor,
    hasItems,
  })
  if (customerAndProducts.isStarted) return
  const complaints: Complaints = new Map(customerAndProductObjections(input, customerAndProducts))
  if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
  throw totalMismatchError(
    input,
    customerAndProducts.products.reduce((sum, [, productPrice]) => sum + productPrice, itemsMinor),
  )
}

/** True if a customer or registered products must be looked up. */
function hasCustomerOrProducts({ customer_id, product_ids = [] }: Partial<Input>): boolean {
  return customer_id !== undefined || product_ids.length > 0
}

/** All complaints about the readable part of a request, beyond the checks of each parameter. */
async function objectionsTo(
  services: Pick<Services, 'sql' | 'cache'>,
  merchant: Merchant,
  given: Partial<Input>,
  scope: Scope,
): Promise<Complaints> {
  const complaints = await ownObjections(services, merchant, given, scope)
  if (!hasCustomerOrProducts(given)) return complaints
  const { customer_id: customerId = null, product_ids: productIds = [] } = given
  const customerAndProducts = await lookUpCustomerAndProducts(services.sql, {
    merchantId: merchant.id,
    customerId,
    productIds,
  })
  return new Map([...complaints, ...customerAndProductObjections(given, customerAndProducts)])
}

/** Complaints that need no lookup of the customer and the products. */
async function ownObjections(
  services: Pick<Services, 'sql' | 'cache'>,
  merchant: Merchant,
  given: Partial<Input>,
  scope: Scope,
): Promise<Complaints> {
  const { customer_id, currency, redirect_url, products = [], product_ids = [] } = given
  const complaints: Complaints = new Map()
  if (merchant.whiteLabel && customer_id === undefined) complaints.set('customer_id', [required])
  if (currency !== undefined && !(await acceptsCurrency(services, merchant.id, currency)))
    complaints.set('currency', [currencyNotAcceptedComplaint])
  const objection = redirect_url && checkRedirectUrl(merchant, scope, redirect_url)
  if (objection) complaints.set('redirect_url', [objection])
  if (merchant.productsRequired && products.length + product_ids.length === 0)
    complaints.set('products', [productsRequiredComplaint])
  return complaints
}

function* customerAndProductObjections(
  given: Partial<Input>,
  customerAndProducts: CustomerAndProductLookupResult,
): Iterable<[string, LocalizedText[]]> {
  const { customer_id, currency, product_ids = [] } = given
  if (customer_id !== undefined && !customerAndProducts.hasCustomer)
    yield ['customer_id', [noSuchCustomerComplaint]]
  const currencies = new Map(customerAndProducts.products.map(([position, , code]) => [position, code]))
  for (const index of product_ids.keys()) {
    const code = currencies.get(index + 1)
    const name = `product_ids.${originalListIndex(product_ids, index)}`
    if (code === undefined) yield [name, [noSuchProductComplaint]]
    else if (currency !== undefined && code !== currency)
      yield [name, [productCurrencyMismatchComplaint(code, currency)]]
  }
}

/** The readable part of the lists. */
interface Lists {
  metadata?: Partial<KeyValuePair>[]
  products?: object[]
  product_ids?: number[]
}

/** Complaints about the lists as a whole. */
function* judgeLists(value: Lists): Iterable<[string, LocalizedText]> {
  const { metadata = [], products = [], product_ids = [] } = value
  const keys = new Set<string>()
  for (const [index, { key }] of metadata.entries()) {
    if (key === undefined) continue
    if (keys.has(key)) yield [`metadata.${originalListIndex(metadata, index)}.key`, duplicateEntry(key)]
    keys.add(key)
  }
  if (products.length + product_ids.length > maxProductsPerPayment)
    yield ['product_ids', tooManyProductsComplaint]
}
