import type { ContractDifference } from './document.ts'

/** Differences between our contract and the shared document, where that is silent or contradicts itself. */
export const differences: readonly ContractDifference[] = [
  {
    reason: 'The document names these endpoints, but shows neither their parameters nor their answers.',
    silent: [
      'endpoints POST /v1/customers/:customer_id body',
      'endpoints POST /v1/customers/:customer_id answer',
      'endpoints GET /v1/customers/:customer_id answer',
      'endpoints GET /v1/customers/search query',
      'endpoints GET /v1/customers/search answer',
      'endpoints DELETE /v1/customers/:customer_id answer',
      'endpoints POST /v1/products/:product_id body',
      'endpoints POST /v1/products/:product_id answer',
      'endpoints GET /v1/products/:product_id answer',
      'endpoints GET /v1/products/search query',
      'endpoints GET /v1/products/search answer',
      'endpoints DELETE /v1/products/:product_id answer',
    ],
  },
  {
    reason: 'The document also describes an accepted request without a country. The phone then decides it.',
    instead: { 'endpoints POST /v1/customers body country': 'country, required' },
  },
  {
    reason: 'The document gives a product a currency, but no parameter for it.',
    silent: ['endpoints POST /v1/products body currency_code'],
  },
  {
    reason: 'The document also describes an accepted payment with neither of them.',
    instead: {
      'endpoints POST /v1/payment/3ds body products': 'array of items, unclear',
      'endpoints POST /v1/payment/3ds body product_ids': 'array of id, unclear',
    },
  },
  {
    reason: 'The document gives an omitted amount a meaning: the whole payment.',
    instead: { 'endpoints POST /v1/transaction/refund body amount': 'amount, unclear' },
  },
  {
    reason: 'Metadata of a payment was seen in two forms. Vezne returns the form in which it is sent.',
    silent: ['resources Transaction metadata item'],
    instead: {
      'resources Transaction result metadata': 'array',
      'endpoints POST /v1/payment/3ds items metadata key': 'not shown, required',
      'endpoints POST /v1/payment/3ds items metadata value': 'not shown, required',
    },
  },
  {
    reason: 'A transaction without an outcome has no end.',
    instead: { 'resources Transaction result end_at': 'time' },
  },
  {
    reason: 'The document names the POS of a commission, but not its fields.',
    silent: ['resources Commission entry company_pos_credential', 'resources POS credential'],
    instead: { 'resources Commission entry company_pos_credential_id': 'integer' },
  },
  {
    reason: 'A BIN has eight digits everywhere, also as a filter.',
    instead: { 'endpoints POST /v1/pos/commissions anywhere bin_number': 'integer' },
  },
  {
    reason: 'The document shows some values or none. Vezne has a fixed list.',
    silent: ['statuses payment_status', 'statuses transaction_status'],
    instead: {
      'resources Timeline item type': 'created',
      'resources BIN lookup result card_brand': 'visa',
      'resources Card segment type slug': 'string',
    },
  },
  {
    reason: 'The document does not show the form of these texts.',
    instead: {
      'resources Customer phone': 'string',
      'resources Customer formatted_created_at': 'string',
      'resources Product formatted_created_at': 'string',
    },
  },
  {
    reason: 'The document shows one error code and no HTTP status.',
    silent: ['codes'],
    instead: { 'codes 901': 'not shown' },
  },
  {
    reason: 'The document shows one language. Vezne has two.',
    instead: { 'requests languages': 'tr' },
  },
  {
    reason: 'The document leaves these limits to the service.',
    silent: ['limits paymentPageMinutes', 'limits maxAmount'],
  },
]
