import type { Static } from 'typebox'
import {
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownListSchema,
  shownNumberSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import type { ScaledPercentage } from '../../kit/money/percentage.ts'
import { shownPercentage } from '../../kit/money/percentage.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, defineMerchantTable, integer, numeric, text, timestamptz } from '../../kit/runtime/table.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { SegmentSlug } from '../bins/index.ts'
import { families, familyPictureUrl, familySlugs, segmentSlugs } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Pos } from './pos.ts'
import { bankNameOf, posStates } from './pos.ts'

/** Stands for cards without rates of their own at a POS. Such cards can only make single payments. */
export const otherCards = 'other'

export const ratedFamilies = [...familySlugs, otherCards] as const

export type RatedFamily = (typeof ratedFamilies)[number]

export const maxInstallments = 36

/** Bearers of a commission, with their numbers in responses. */
export const bearers = { merchant: 1, customer: 2 } as const

export type Bearer = keyof typeof bearers

const bearerTexts: Record<Bearer, LocalizedText> = {
  merchant: { tr: 'Üye iş yeri', en: 'Merchant' },
  customer: { tr: 'Müşteri', en: 'Customer' },
}

export const commissionRates = defineMerchantTable('commission_rates', {
  merchantId: bigint(),
  id: bigint(),
  posId: bigint(),
  family: text<RatedFamily>(),
  segment: text<SegmentSlug>(),
  installment: integer(),
  /** Percentage; null if there is no rate from then on. */
  rate: numeric().orNull(),
  commissionBy: integer<(typeof bearers)[Bearer]>(),
  /** Start of its validity. */
  validFrom: timestamptz(),
  /** Number of the POS's rate change that created it. */
  revision: integer(),
  createdAt: timestamptz(),
})

/** Commission of a bank for a family, a segment and a number of installments, from a time on. */
export interface Commission
  extends Omit<RowOf<typeof commissionRates>, 'merchantId' | 'rate' | 'commissionBy'> {
  rate: ScaledPercentage
  commissionBy: Bearer
}

/** POS with its commissions at one time. */
export interface PricedPos {
  pos: Pos
  commissions: Commission[]
}

/**
 * Commissions of a POS for the cards that it accepts. Families that only a newer program knows are left out.
 */
export function acceptedCommissions({ pos, commissions }: PricedPos): Commission[] {
  return commissions.filter(
    ({ family }) => family === otherCards || (pos.families.includes(family) && families.has(family)),
  )
}

/** Accepted commissions in display order. */
export function sortedCommissions(priced: PricedPos): Commission[] {
  return acceptedCommissions(priced).toSorted(
    (one, other) =>
      ratedFamilies.indexOf(one.family) - ratedFamilies.indexOf(other.family) ||
      segmentSlugs.indexOf(one.segment) - segmentSlugs.indexOf(other.segment) ||
      one.installment - other.installment,
  )
}

/** Name of a family, or of the other cards. */
export function familyName(family: RatedFamily): LocalizedText {
  if (family === otherCards) return { tr: 'Diğer kartlar', en: 'Other cards' }
  const [name] = families.get(family) ?? [family]
  return { tr: name, en: name }
}

const segmentNames: Record<SegmentSlug, LocalizedText> = {
  personal: { tr: 'Bireysel', en: 'Personal' },
  commercial: { tr: 'Ticari', en: 'Commercial' },
}

/** Creation time of the lists of families and segments; the contract requires one. */
const listsCreatedAt = new Date('2026-11-15T09:30:00+03:00')

const createdAt = shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'Time of creation.' })
const updatedAt = shownTimeSchema({ tr: 'Son değişikliğin tarihi ve saati.', en: 'Time of the last change.' })

const ShownPos = resourceSchema(
  'PosCredential',
  {
    tr: 'Üye iş yerinin bir sanal POS’u. Gizli bilgileri gösterilmez.',
    en: 'POS of the merchant, without its secrets.',
  },
  {
    id: shownIntegerSchema({ tr: 'POS numarası.', en: 'ID of the POS.' }, 10000000000005),
    name: shownTextSchema({ tr: 'POS’un adı.', en: 'Name of the POS.' }, 'Garanti BBVA Bonus'),
    bank_code: shownIntegerSchema({ tr: 'Bankanın EFT kodu.', en: 'EFT code of the bank.' }, 62),
    bank_name: shownTextSchema({ tr: 'Bankanın adı.', en: 'Name of the bank.' }, 'Garanti BBVA'),
    currencies: shownListSchema(
      { tr: 'Kabul ettiği para birimleri.', en: 'Currencies that the POS accepts.' },
      shownTextSchema({ tr: 'ISO 4217 para birimi kodu.', en: 'ISO 4217 currency code.' }, 'TRY'),
    ),
    state: shownChoiceSchema(
      {
        tr: 'POS’un durumu: `active` ödeme alır, `refund_only` yalnızca iade yapar, `off` kapalıdır.',
        en: 'State of the POS: `active` takes payments, `refund_only` only refunds, `off` does neither.',
      },
      posStates,
    ),
  },
)

const ShownFamily = resourceSchema(
  'CardFamily',
  { tr: 'Kart ailesi.', en: 'Card family.' },
  {
    name: shownTextSchema({ tr: 'Kart ailesinin adı.', en: 'Name of the card family.' }, 'Bonus'),
    slug: shownTextSchema(
      {
        tr: 'Kart ailesinin değişmeyen kısa adı. `other`, ailesi için POS’ta oran bulunmayan kartlardır.',
        en: 'Short name that never changes. `other` means cards whose family has no rate on the POS.',
      },
      'bonus',
    ),
    logo_url: shownTextSchema(
      { tr: 'Kart ailesi görselinin adresi.', en: 'Address of an image of the card family.' },
      'http://localhost:4242/families/bonus.svg',
    ),
    created_at: createdAt,
    updated_at: updatedAt,
  },
)

const ShownSegment = resourceSchema(
  'CardSegmentType',
  { tr: 'Kartın segmenti: bireysel veya ticari.', en: 'Segment of a card: personal or commercial.' },
  {
    name: shownTextSchema(
      { tr: 'Segmentin istenen dildeki adı.', en: 'Name of the segment, in the requested language.' },
      segmentNames.personal,
    ),
    slug: shownChoiceSchema(
      { tr: 'Segmentin değişmeyen kısa adı.', en: 'Short name that never changes.' },
      segmentSlugs,
    ),
    created_at: createdAt,
    updated_at: updatedAt,
  },
)

export const ShownCommission = resourceSchema(
  'Commission',
  { tr: 'Bir POS’un komisyon oranı.', en: 'Commission rate of a POS.' },
  {
    id: shownIntegerSchema(
      {
        tr: 'Oranın numarası. Oran değişirse yeni oran başka bir numara alır.',
        en: 'ID of the rate. If the rate changes, the new rate has another ID.',
      },
      10000000000009,
    ),
    company_pos_credential_id: shownIntegerSchema(
      { tr: 'POS numarası.', en: 'ID of the POS.' },
      10000000000005,
    ),
    merchant_id: shownIntegerSchema(
      { tr: 'POS’un ait olduğu üye iş yerinin numarası.', en: 'ID of the merchant that owns the POS.' },
      10000000000001,
    ),
    installment: shownIntegerSchema(
      {
        tr: 'Oranın geçerli olduğu taksit sayısı; 1, tek çekimdir.',
        en: 'Number of installments that the rate applies to; 1 is a single payment.',
      },
      3,
    ),
    commission_rate: shownNumberSchema(
      { tr: 'Komisyon oranı, ondalıklı yüzde olarak.', en: 'Commission rate, a percentage with decimals.' },
      4.29,
    ),
    commission_by: shownIntegerSchema(
      {
        tr: 'Komisyonu karşılayan: 1 üye iş yeri, 2 müşteri. Tek çekimde her zaman üye iş yeri karşılar.',
        en: 'Party that bears the commission: 1 merchant, 2 customer. For a single payment it is always the merchant.',
      },
      1,
    ),
    commission_by_text: shownTextSchema(
      {
        tr: 'Komisyonu karşılayan, istenen dilde.',
        en: 'Party that bears the commission, in the requested language.',
      },
      bearerTexts.merchant,
    ),
    created_at: shownTimeSchema({
      tr: 'Oranın girildiği tarih ve saat.',
      en: 'Time at which the rate was entered.',
    }),
    updated_at: shownTimeSchema({
      tr: 'Oranın yürürlüğe girdiği tarih ve saat.',
      en: 'Time at which the rate took effect.',
    }),
    company_pos_credential: ShownPos,
    card_family: ShownFamily,
    card_segment_type: ShownSegment,
  },
)

export function shownCommission(
  commission: Commission,
  pos: Pos,
  { timeZone }: Merchant,
  language: Language,
  apiUrl: string,
): Static<typeof ShownCommission> {
  const listedAt = isoTime(listsCreatedAt, timeZone)
  const listTimes = { created_at: listedAt, updated_at: listedAt }
  return {
    id: commission.id,
    company_pos_credential_id: pos.id,
    merchant_id: pos.merchantId,
    installment: commission.installment,
    commission_rate: shownPercentage(commission.rate),
    commission_by: bearers[commission.commissionBy],
    commission_by_text: bearerTexts[commission.commissionBy][language],
    created_at: isoTime(commission.createdAt, timeZone),
    updated_at: isoTime(commission.validFrom, timeZone),
    company_pos_credential: {
      id: pos.id,
      name: pos.name,
      bank_code: pos.bankCode,
      bank_name: bankNameOf(pos),
      currencies: pos.currencies,
      state: pos.state,
    },
    card_family: {
      name: familyName(commission.family)[language],
      slug: commission.family,
      logo_url: familyPictureUrl(apiUrl, commission.family),
      ...listTimes,
    },
    card_segment_type: {
      name: segmentNames[commission.segment][language],
      slug: commission.segment,
      ...listTimes,
    },
  }
}
