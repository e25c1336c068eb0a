import type { Static } from 'typebox'
import {
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownTextSchema,
} from '../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { fixedLengthIntegerField, objectSchema } from '../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import { andThen } from '../../kit/runtime/maybe-promise.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { cardOfBin } from './active-bins.ts'
import { longestPrefix } from './bin-table.ts'
import type { CardKind } from './card.ts'
import { cardBrands } from './catalog.ts'
import { bankPictureUrl, brandPictureUrl } from './pictures.ts'

/** Request parameter that names a card. */
export const binNumber = fixedLengthIntegerField(
  { tr: 'Kart numarasının ilk sekiz hanesi.', en: 'First eight digits of the card number.' },
  { count: longestPrefix, example: 40430800 },
)

const BinLookup = resourceSchema(
  'BinLookup',
  {
    tr: 'Bir kartın bankası, markası ve türü.',
    en: 'Bank, brand and type of a card.',
  },
  {
    bank_code: shownIntegerSchema(
      {
        tr: 'Kartı veren bankanın EFT kodu; kodu olmayan kuruluşlar için 0.',
        en: 'EFT code of the issuing bank; 0 for an issuer without a code.',
      },
      62,
    ),
    bank_name: shownTextSchema({ tr: 'Bankanın adı.', en: 'Name of the bank.' }, 'Garanti BBVA'),
    bank_image: shownTextSchema(
      { tr: 'Bankanın görselinin adresi.', en: 'Address of an image of the bank.' },
      'http://localhost:4242/banks/62.svg',
    ),
    bin_number: shownIntegerSchema({ tr: 'Sorgulanan BIN.', en: 'The BIN in the request.' }, 40430800),
    card_brand: shownChoiceSchema({ tr: 'Kartın markası.', en: 'Brand of the card.' }, cardBrands),
    card_brand_image_url: shownTextSchema(
      { tr: 'Kart markasının görselinin adresi.', en: 'Address of an image of the brand.' },
      'http://localhost:4242/brands/visa.svg',
    ),
    card_type: shownChoiceSchema(
      {
        tr: 'Kartın türü: kredi kartı için `creditcard`; banka kartı ve ön ödemeli kart için `debit`.',
        en: 'Type of the card: `creditcard` for a credit card; `debit` for a debit or prepaid card.',
      },
      ['creditcard', 'debit'],
    ),
  },
)

export const lookUpBinRoute = route({
  method: 'GET',
  url: '/v1/bin-lookup',
  summary: { tr: 'BIN sorgula', en: 'Look up BIN' },
  description: {
    tr: 'Numarası bu sekiz haneyle başlayan kartın bankasını, markasını ve türünü döndürür.',
    en: 'Returns the bank, the brand and the type of the card whose number begins with these eight digits.',
  },
  credential: 'secret',
  query: objectSchema({ bin_number: binNumber }),
  answer: bareResponseDefinition(BinLookup),
  refusals: [noSuchResource],
  handle: (services: Services, _merchant: Merchant, { query: { bin_number: bin } }) =>
    andThen(cardOfBin(services, bin), (kind) => {
      if (!kind) throw new Refused(noSuchResource)
      return { ...shownKind(kind, services.config), bin_number: bin }
    }),
})

type ShownKind = Omit<Static<typeof BinLookup>, 'bin_number'>

/** Responses without the BIN, by kind. Kinds are few and requested often, so each response is built once. */
const shownKinds = new WeakMap<Services['config'], WeakMap<CardKind, ShownKind>>()

function shownKind(kind: CardKind, config: Services['config']): ShownKind {
  const known = shownKinds.get(config)?.get(kind)
  if (known) return known
  const shown = describeKind(kind, config.apiUrl)
  const ofConfig = shownKinds.get(config) ?? new WeakMap<CardKind, ShownKind>()
  shownKinds.set(config, ofConfig.set(kind, shown))
  return shown
}

function describeKind(kind: CardKind, apiUrl: string): ShownKind {
  return {
    bank_code: kind.bankCode,
    bank_name: kind.bankName,
    bank_image: bankPictureUrl(apiUrl, kind.bankCode),
    card_brand: kind.brand,
    card_brand_image_url: brandPictureUrl(apiUrl, kind.brand),
    card_type: kind.type === 'credit' ? 'creditcard' : 'debit',
  }
}
