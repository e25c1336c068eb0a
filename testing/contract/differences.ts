import type { ContractDifference } from './document.ts'

/** Differences between our contract and the shared document, where that is silent or contradicts itself. */
export const differences: readonly ContractDifference[] = [
  {
    reason: 'The document names these endpoints, but shows neither their parameters nor their answers.',
    silent: {
      'endpoints POST /v1/customers/:customer_id body': '10 facts, digest 7b9ebba7d4e9',
      'endpoints POST /v1/customers/:customer_id answer': 'Customer',
      'endpoints GET /v1/customers/:customer_id answer': 'Customer',
      'endpoints GET /v1/customers/search query': '11 facts, digest b6cde1a297ff',
      'endpoints GET /v1/customers/search answer': 'array of Customer',
      'endpoints DELETE /v1/customers/:customer_id answer': 'envelope of null',
      'endpoints POST /v1/products/:product_id body':
        'currency_code currency; description string or null; metadata pairs or null; price amount; product_name string',
      'endpoints POST /v1/products/:product_id answer': 'Product',
      'endpoints GET /v1/products/:product_id answer': 'Product',
      'endpoints GET /v1/products/search query': '8 facts, digest 18a2ddfb15cc',
      'endpoints GET /v1/products/search answer': 'array of Product',
      'endpoints DELETE /v1/products/:product_id answer': 'envelope of null',
    },
  },
  {
    reason: 'The document also describes an accepted request without a country. The phone then decides it.',
    instead: {
      'endpoints POST /v1/customers body country': { theirs: 'country, required', ours: 'country' },
    },
  },
  {
    reason: 'The document gives a product a currency, but no parameter for it.',
    silent: { 'endpoints POST /v1/products body currency_code': 'currency' },
  },
  {
    reason: 'The document also describes an accepted payment with neither of them.',
    instead: {
      'endpoints POST /v1/payment/3ds body products': {
        theirs: 'array of items, unclear',
        ours: 'array of items',
      },
      'endpoints POST /v1/payment/3ds body product_ids': {
        theirs: 'array of id, unclear',
        ours: 'array of id',
      },
    },
  },
  {
    reason: 'The document gives an omitted amount a meaning: the whole payment.',
    instead: {
      'endpoints POST /v1/transaction/refund body amount': { theirs: 'amount, unclear', ours: 'amount' },
    },
  },
  {
    reason: 'Metadata of a payment was seen in two forms. Vezne returns the form in which it is sent.',
    silent: { 'resources Transaction metadata item': 'key string; value string' },
    instead: {
      'resources Transaction result metadata': {
        theirs: 'array',
        ours: 'array of Transaction metadata item',
      },
      'endpoints POST /v1/payment/3ds items metadata key': {
        theirs: 'not shown, required',
        ours: 'string, required',
      },
      'endpoints POST /v1/payment/3ds items metadata value': {
        theirs: 'not shown, required',
        ours: 'scalar, required',
      },
    },
  },
  {
    reason: 'A transaction without an outcome has no end.',
    instead: { 'resources Transaction result end_at': { theirs: 'time', ours: 'time or null' } },
  },
  {
    reason: 'The document names the POS of a commission, but not its fields.',
    silent: {
      'resources Commission entry company_pos_credential': 'POS credential',
      'resources POS credential':
        'bank_code integer; bank_name string; currencies array of currency; id id; name string; state active | refund_only | off',
    },
    instead: { 'resources Commission entry company_pos_credential_id': { theirs: 'integer', ours: 'id' } },
  },
  {
    reason: 'A BIN has eight digits everywhere, also as a filter.',
    instead: {
      'endpoints POST /v1/pos/commissions anywhere bin_number': { theirs: 'integer', ours: 'BIN' },
    },
  },
  {
    reason: 'The document shows some values or none. Vezne has a fixed list.',
    silent: {
      'statuses payment_status': '0 waiting; 2 failed; 3 pre_authorized; 4 refunded; 5 partially_refunded',
      'statuses transaction_status': '1 pending; 3 failed; 4 expired',
    },
    instead: {
      'resources Timeline item type': { theirs: 'created', ours: 'created | updated' },
      'resources BIN lookup result card_brand': {
        theirs: 'visa',
        ours: 'visa | mastercard | amex | troy | maestro | jcb | unionpay | discover | diners',
      },
      'resources Card segment type slug': { theirs: 'string', ours: 'personal | commercial' },
    },
  },
  {
    reason: 'The document does not show the form of these texts.',
    instead: {
      'resources Customer phone': { theirs: 'string', ours: 'phone' },
      'resources Customer formatted_created_at': { theirs: 'string', ours: 'display time' },
      'resources Product formatted_created_at': { theirs: 'string', ours: 'display time' },
    },
  },
  {
    reason: 'The document shows one error code and no HTTP status.',
    silent: { codes: '17 facts, digest ab48090b928b' },
    instead: { 'codes 901': { theirs: 'not shown', ours: '422' } },
  },
  {
    reason: 'The document shows one language. Vezne has two.',
    instead: { 'requests languages': { theirs: 'tr', ours: 'tr, en' } },
  },
  {
    reason: 'The document leaves these limits to the service.',
    silent: { 'limits paymentPageMinutes': '30', 'limits maxAmount': '99999999999' },
  },
]
