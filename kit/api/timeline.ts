import type { Static } from 'typebox'
import type { Language, LocalizedText } from '../text/locale.ts'
import { displayTime } from '../text/zoned-time.ts'
import {
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownListSchema,
  shownTextSchema,
} from './resource.ts'

export type TimelineEntryType = 'created' | 'updated'

/**
 * A change of a record. The time is in milliseconds, as in the row. The row's own creation time stands for
 * the creation.
 */
export interface TimelineChange {
  order: number
  at: number
}

/** Text of each kind of entry. Every resource has its own texts. */
export type TimelineTexts = Readonly<Record<TimelineEntryType, LocalizedText>>

/**
 * Maximum number of changes kept. A record that a program updates every minute must not grow without limit;
 * older changes are dropped.
 */
export const maxTimelineChanges = 99

const icons: Readonly<Record<TimelineEntryType, string>> = { created: 'icon-plus', updated: 'icon-pencil' }

const ShownTimeline = resourceSchema(
  'TimelineItem',
  { tr: 'Kaydın geçmişindeki bir değişiklik.', en: 'Entry in the history of a record.' },
  {
    type: shownChoiceSchema(
      {
        tr: 'Değişikliğin türü: `created` veya `updated`.',
        en: 'Type of the entry: `created` or `updated`.',
      },
      ['created', 'updated'],
    ),
    order: shownIntegerSchema(
      { tr: 'Sırası; 1’den başlar.', en: 'Position of the entry, starting at 1.' },
      1,
    ),
    text: shownTextSchema(
      {
        tr: 'Değişikliğin istenen dildeki açıklaması.',
        en: 'Description of the entry, in the requested language.',
      },
      { tr: 'Kayıt oluşturuldu.', en: 'The record was created.' },
    ),
    date: shownTextSchema(
      {
        tr: 'Değişikliğin tarihi ve saati, GG.AA.YYYY SS:DD biçiminde.',
        en: 'Time of the entry, as DD.MM.YYYY HH:mm.',
      },
      '15.11.2026 09:30',
    ),
    icon: shownTextSchema({ tr: 'Simgesinin sınıf adı.', en: 'Class name of the icon.' }, 'icon-plus'),
  },
)

/** Timeline of a record in a response. The example uses the texts of its resource. */
export function shownTimelineSchema(texts: TimelineTexts) {
  const created = { createdAt: new Date('2026-11-15T06:30:00Z'), changes: [] }
  const exampleIn = (language: Language) => shownTimeline(created, texts, language, 'Europe/Istanbul')
  return shownListSchema(
    { tr: 'Kaydın geçmişi, eskiden yeniye.', en: 'History of the record, oldest entry first.' },
    ShownTimeline,
    { tr: exampleIn('tr'), en: exampleIn('en') },
  )
}

/** The changes with one more appended. `order` counts the creation and the dropped changes. */
export function withTimelineChange(changes: readonly TimelineChange[], now: Date): TimelineChange[] {
  const order = (changes.at(-1)?.order ?? 1) + 1
  return [...changes.slice(-(maxTimelineChanges - 1)), { order, at: now.getTime() }]
}

export function shownTimeline(
  { createdAt, changes }: { createdAt: Date; changes: readonly TimelineChange[] },
  texts: TimelineTexts,
  language: Language,
  zone: string,
): Static<typeof ShownTimeline>[] {
  const entry = (type: TimelineEntryType, order: number, at: Date) => ({
    type,
    order,
    text: texts[type][language],
    date: displayTime(at, zone),
    icon: icons[type],
  })
  return [
    entry('created', 1, createdAt),
    ...changes.map(({ order, at }) => entry('updated', order, new Date(at))),
  ]
}
