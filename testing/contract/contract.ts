import type { Contract, ContractType } from './contract-schema.ts'
import { resources } from './resources.ts'

const customerId = { customer_id: 'id, required' } as const
const productId = { product_id: 'id, required' } as const
const transactionId = { transaction_id: 'id, required' } as const

/** Filters of every search. */
const pageFilters = {
  created_from: 'string',
  created_to: 'string',
  after: 'string',
  per_page: 'integer',
} as const

/** The contract that Vezne keeps with merchants. `differences.ts` compares it with the shared document. */
export const contract: Contract<ContractType> = {
  requests: {
    prefix: '/v1',
    authorization: 'Authorization: Bearer <ACCESS_TOKEN>',
    languages: 'tr, en',
    contentTypes: 'application/x-www-form-urlencoded, application/json',
    formNames: 'product_ids[0], metadata[0][key], metadata[0][value]',
    jsonTexts: 'products, metadata',
  },

  envelope: {
    success: {
      status: 'true',
      message: 'string',
      errors: 'empty array',
      error_code: 'null',
      data: 'object or null',
    },
    failure: {
      status: 'false',
      message: 'string',
      errors: 'array or object',
      error_code: 'integer',
      data: 'null',
    },
  },

  resources,

  endpoints: {
    'POST /v1/token/get-token': { credential: 'key', answer: 'envelope of Access token result' },
    'POST /v1/customers': {
      credential: 'secret',
      body: {
        name: 'string, required',
        lastname: 'string, required',
        email: 'string, required',
        phone: 'phone, required',
        country: 'country',
        city: 'string',
        district: 'string, required with city',
        address: 'string',
        zip_code: 'string',
        metadata: 'pairs',
      },
      answer: 'Customer',
    },
    'POST /v1/customers/:customer_id': {
      credential: 'secret',
      path: customerId,
      body: {
        name: 'string',
        lastname: 'string',
        email: 'string',
        phone: 'phone',
        country: 'country',
        city: 'string or null',
        district: 'string or null',
        address: 'string or null',
        zip_code: 'string or null',
        metadata: 'pairs or null',
      },
      answer: 'Customer',
    },
    'GET /v1/customers/:customer_id': { credential: 'secret', path: customerId, answer: 'Customer' },
    'GET /v1/customers/search': {
      credential: 'secret',
      query: {
        q: 'string',
        name: 'string',
        lastname: 'string',
        email: 'string',
        phone: 'string',
        country: 'country',
        city: 'string',
        ...pageFilters,
      },
      answer: 'array of Customer',
    },
    'DELETE /v1/customers/:customer_id': {
      credential: 'secret',
      path: customerId,
      answer: 'envelope of null',
    },
    'POST /v1/products': {
      credential: 'secret',
      body: {
        product_name: 'string, required',
        price: 'amount, required',
        currency_code: 'currency',
        description: 'string',
        metadata: 'pairs',
      },
      answer: 'Product',
    },
    'POST /v1/products/:product_id': {
      credential: 'secret',
      path: productId,
      body: {
        product_name: 'string',
        price: 'amount',
        currency_code: 'currency',
        description: 'string or null',
        metadata: 'pairs or null',
      },
      answer: 'Product',
    },
    'GET /v1/products/:product_id': { credential: 'secret', path: productId, answer: 'Product' },
    'GET /v1/products/search': {
      credential: 'secret',
      query: {
        q: 'string',
        product_name: 'string',
        currency_code: 'currency',
        price: 'amount',
        ...pageFilters,
      },
      answer: 'array of Product',
    },
    'DELETE /v1/products/:product_id': { credential: 'secret', path: productId, answer: 'envelope of null' },
    'POST /v1/payment/3ds': {
      credential: 'any',
      body: {
        customer_id: 'id',
        amount: 'amount, required',
        currency: 'currency, required',
        redirect_url: 'return address',
        pre_auth: 'boolean',
        products: 'array of items',
        product_ids: 'array of id',
        metadata: 'array of items',
        description: 'string',
      },
      items: {
        products: { product_name: 'string, required', price: 'amount, required', description: 'string' },
        metadata: { key: 'string, required', value: 'scalar, required' },
      },
      answer: 'envelope of Payment initiation result',
    },
    'GET /v1/transaction/:transaction_id': {
      credential: 'secret',
      path: transactionId,
      answer: 'Transaction result',
    },
    'POST /v1/transaction/refund': {
      credential: 'secret',
      body: { ...transactionId, amount: 'amount', description: 'string, required' },
      answer: 'envelope of null',
    },
    'POST /v1/transaction/resolve-pre-auth': {
      credential: 'secret',
      body: { ...transactionId, status: 'boolean, required' },
      answer: 'envelope of null',
    },
    'POST /v1/pos/commissions': {
      credential: 'secret',
      anywhere: { bin_number: 'BIN' },
      answer: 'array of Commission entry',
    },
    'GET /v1/bin-lookup': {
      credential: 'secret',
      query: { bin_number: 'BIN, required' },
      answer: 'BIN lookup result',
    },
  },

  statuses: {
    payment_status: {
      0: 'waiting',
      1: 'success',
      2: 'failed',
      3: 'pre_authorized',
      4: 'refunded',
      5: 'partially_refunded',
    },
    transaction_status: { 1: 'pending', 2: 'completed', 3: 'failed', 4: 'expired' },
    payment_method: { 1: 'is_3d' },
  },

  codes: {
    900: '400, 413, 415',
    901: '422',
    902: '422',
    910: '401',
    911: '401',
    912: '403',
    913: '403',
    920: '404',
    921: '404, 405',
    930: '409',
    931: '409',
    940: '409',
    941: '409',
    950: '409',
    951: '422',
    960: '429',
    990: '500',
    991: '503',
  },

  limits: {
    accessTokenMinutes: 10,
    paymentPageMinutes: 30,
    idDigits: 14,
    binDigits: 8,
    amountUnit: 'minor unit integer',
    fractionDigits: 2,
    maxAmount: 99_999_999_999,
  },
}
