import { isDeepStrictEqual } from 'node:util'
import type { TimestampedMetadataItem } from '../../kit/api/metadata.ts'
import { shownMetadata, shownMetadataSchema } from '../../kit/api/metadata.ts'
import { shownIntegerSchema, shownTextSchema, shownTimeSchema } from '../../kit/api/resource.ts'
import type { TimelineChange, TimelineTexts } from '../../kit/api/timeline.ts'
import { shownTimeline, withTimelineChange } from '../../kit/api/timeline.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { jsonb, timestamptz, tsvector } from '../../kit/runtime/table.ts'
import type { Language } from '../../kit/text/locale.ts'
import { displayTime, isoTime } from '../../kit/text/zoned-time.ts'
import type { OwnedId } from '../database/owned-id.ts'
import type { Merchant } from '../merchants/index.ts'

/** Last columns of every resource's table. */
export const resourceColumns = {
  metadata: jsonb<TimestampedMetadataItem[]>(),
  changes: jsonb<TimelineChange[]>(),
  /** Searchable words; empty once the record is deleted. */
  words: tsvector(),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
  deletedAt: timestamptz().orNull(),
}

/** The part of a record that every resource has. */
export type ResourceRecord = OwnedId & Omit<RowOf<{ map: typeof resourceColumns }>, 'words' | 'deletedAt'>

export function newResourceRecord(merchantId: number, id: number, now: Date): ResourceRecord {
  return { merchantId, id, metadata: [], changes: [], createdAt: now, updatedAt: now }
}

/** The changed record with its change in the timeline; the record itself if nothing changed. */
export function withNotedChange<Noted extends ResourceRecord>(before: Noted, after: Noted, now: Date): Noted {
  if (isDeepStrictEqual(after, before)) return before
  return { ...after, changes: withTimelineChange(before.changes, now), updatedAt: now }
}

/** Response fields of every resource, besides its `id` and its `timeline`. */
export const shownResourceFields = {
  merchant_id: shownIntegerSchema(
    { tr: 'Kaydın ait olduğu üye iş yerinin numarası.', en: 'ID of the merchant that owns the record.' },
    10000000000001,
  ),
  created_at: shownTimeSchema({ tr: 'Oluşturulduğu tarih ve saat.', en: 'Time of creation.' }),
  updated_at: shownTimeSchema({ tr: 'Son değişikliğin tarihi ve saati.', en: 'Time of the last change.' }),
  formatted_created_at: shownTextSchema(
    { tr: 'Oluşturulduğu tarih ve saat, gösterim biçiminde.', en: 'Time of creation, as display text.' },
    '15.11.2026 09:30',
  ),
  metadata: shownMetadataSchema,
}

export function shownRecord(
  record: ResourceRecord,
  texts: TimelineTexts,
  merchant: Merchant,
  language: Language,
) {
  const { timeZone } = merchant
  return {
    id: record.id,
    merchant_id: record.merchantId,
    created_at: isoTime(record.createdAt, timeZone),
    updated_at: isoTime(record.updatedAt, timeZone),
    formatted_created_at: displayTime(record.createdAt, timeZone),
    metadata: shownMetadata(record.metadata, merchant),
    timeline: shownTimeline(record, texts, language, timeZone),
  }
}
