import type { Static } from 'typebox'
import type { Eventually } from '../kit/eventually.ts'
import { goOn } from '../kit/eventually.ts'
import { record } from '../kit/fields.ts'
import { noSuchResource, Refused } from '../kit/refusals.ts'
import { resource, shownChoice, shownInteger, shownText } from '../kit/resource.ts'
import { bare, route } from '../kit/route.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { binNumber } from './bin-number.ts'
import type { Card } from './card.ts'
import { brands } from './card.ts'
import { cardOf } from './current-bins.ts'
import { bankPictureUrl, brandPictureUrl } from './pictures.ts'

const BinLookup = resource(
  'BinLookup',
  {
    tr: 'Bir kartın bankası, markası ve türü.',
    en: 'The bank, the brand and the type of a card.',
  },
  {
    bank_code: shownInteger(
      {
        tr: 'Kartı veren bankanın EFT kodu; kodu olmayan kuruluşlar için 0.',
        en: 'The EFT code of the bank that issued the card; 0 for an issuer that has none.',
      },
      62,
    ),
    bank_name: shownText({ tr: 'Bankanın adı.', en: 'The name of the bank.' }, 'Garanti BBVA'),
    bank_image: shownText(
      { tr: 'Bankanın görselinin adresi.', en: 'The address of a picture of the bank.' },
      'http://localhost:4242/banks/62.svg',
    ),
    bin_number: shownInteger({ tr: 'Sorgulanan BIN.', en: 'The BIN that was asked for.' }, 40430800),
    card_brand: shownChoice({ tr: 'Kartın markası.', en: 'The brand of the card.' }, brands),
    card_brand_image_url: shownText(
      { tr: 'Kart markasının görselinin adresi.', en: 'The address of a picture of the brand.' },
      'http://localhost:4242/brands/visa.svg',
    ),
    card_type: shownChoice(
      {
        tr: 'Kredi kartı için creditcard; banka kartı ve ön ödemeli kart için debit.',
        en: 'creditcard for a credit card; debit for a debit card and for a prepaid one.',
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
    en: 'Answers the bank, the brand and the type of the card whose number begins with these eight digits.',
  },
  credential: 'secret',
  query: record({ bin_number: binNumber }),
  answer: bare(BinLookup),
  refusals: [noSuchResource],
  handle: (services: Services, _merchant: Merchant, { query }) =>
    goOn(lookUpBin(services, query.bin_number), (card) => shownCard(card, services.config.apiUrl)),
})

/** What the card is whose number begins with these digits. It is in memory: no promise is made and nothing awaited. */
export function lookUpBin(services: Pick<Services, 'memory'>, bin: number): Eventually<Card> {
  return goOn(cardOf(services, bin), (card) => {
    if (!card) throw new Refused(noSuchResource)
    return card
  })
}

function shownCard(card: Card, apiUrl: string): Static<typeof BinLookup> {
  return {
    bank_code: card.bankCode,
    bank_name: card.bankName,
    bank_image: bankPictureUrl(apiUrl, card.bankCode),
    bin_number: card.bin,
    card_brand: card.brand,
    card_brand_image_url: brandPictureUrl(apiUrl, card.brand),
    card_type: card.type === 'credit' ? 'creditcard' : 'debit',
  }
}
