import type { Static } from 'typebox'
import type { KeyValuePair } from '../input/fields.ts'
import { keyValuePairsField } from '../input/fields.ts'
import { isoTime } from '../text/zoned-time.ts'
import { resourceSchema, shownListSchema, shownTextSchema, shownTimeSchema } from './resource.ts'

/** A name and a value that the merchant keeps with a record. Times are milliseconds, as in the row. */
export interface TimestampedMetadataItem extends KeyValuePair {
  created_at: number
  updated_at: number
}

export const metadataField = keyValuePairsField(
  {
    tr: 'Kayıtla birlikte saklanan anahtar-değer çiftleri, JSON nesnesi olarak. En fazla 50 çift; anahtarlar 1–40, değerler en fazla 500 karakter. Değerler metin, sayı veya true/false olabilir; yanıtta metin olarak döner.',
    en: 'Key-value pairs to store with the record, as a JSON object. At most 50 pairs; keys have 1 to 40 characters, values at most 500. Values can be text, numbers or booleans; responses return them as text.',
  },
  { max: 50, maxKey: 40, maxValue: 500, example: '{"order":"A-1001"}' },
)

const ShownMetadata = resourceSchema(
  'MetadataItem',
  { tr: 'Kayıtla birlikte saklanan bir anahtar-değer çifti.', en: 'Key-value pair stored with a record.' },
  {
    merchant_id: shownTextSchema(
      { tr: 'Üye iş yerinin numarası, metin olarak.', en: 'ID of the merchant, as text.' },
      '10000000000001',
    ),
    key: shownTextSchema({ tr: 'Anahtar.', en: 'Key of the pair.' }, 'order'),
    value: shownTextSchema(
      { tr: 'Değer; her zaman metindir.', en: 'Value of the pair, always text.' },
      'A-1001',
    ),
    created_at: shownTimeSchema({
      tr: 'Anahtarın eklendiği tarih ve saat.',
      en: 'Time at which the key was added.',
    }),
    updated_at: shownTimeSchema({
      tr: 'Değerin son değiştiği tarih ve saat.',
      en: 'Time of the last change of the value.',
    }),
  },
)

/** Metadata list of a record in a response. */
export const shownMetadataSchema = shownListSchema(
  {
    tr: 'Kayıtla birlikte saklanan anahtar-değer çiftleri; yoksa boş liste.',
    en: 'Key-value pairs stored with the record; an empty list if there are none.',
  },
  ShownMetadata,
)

/**
 * Metadata items for the given pairs. A pair whose key existed keeps `created_at`; with the same value it
 * keeps both times.
 */
export function timestampedMetadata(
  given: readonly KeyValuePair[],
  now: Date,
  before: readonly TimestampedMetadataItem[] = [],
): TimestampedMetadataItem[] {
  const nowMs = now.getTime()
  return given.map(({ key, value }) => {
    const known = before.find((item) => item.key === key)
    if (known?.value === value) return known
    return { key, value, created_at: known?.created_at ?? nowMs, updated_at: nowMs }
  })
}

export function shownMetadata(
  items: readonly TimestampedMetadataItem[],
  { id, timeZone }: { id: number; timeZone: string },
): Static<typeof ShownMetadata>[] {
  return items.map(({ key, value, created_at, updated_at }) => ({
    merchant_id: String(id),
    key,
    value,
    created_at: isoTime(new Date(created_at), timeZone),
    updated_at: isoTime(new Date(updated_at), timeZone),
  }))
}
