import type { Static } from 'typebox'
import type { Language, Sentence } from './locale.ts'
import { resource, shownInteger, shownText } from './resource.ts'
import { displayTime } from './zoned-time.ts'

export type TimelineType = 'created' | 'updated'

/** Something that happened to a record. The time is milliseconds, as it lies in the row. */
export interface TimelineEntry {
  type: TimelineType
  order: number
  at: number
}

/** What is said of each kind of entry; every noun has its own words. */
export type TimelineTexts = Readonly<Record<TimelineType, Sentence>>

/** A record that a program writes every minute must not grow for ever: of more, the oldest changes are forgotten. */
export const keptEntries = 500

const icons: Readonly<Record<TimelineType, string>> = { created: 'icon-plus', updated: 'icon-pencil' }

export const ShownTimeline = resource(
  'TimelineItem',
  { tr: 'Kaydın başından geçen bir olay.', en: 'Something that happened to a record.' },
  {
    type: shownText(
      { tr: 'Olayın türü: created veya updated.', en: 'What happened: created or updated.' },
      'created',
    ),
    order: shownInteger({ tr: 'Sırası, 1’den başlar.', en: 'Its position, starting at 1.' }, 1),
    text: shownText(
      { tr: 'Olayın metni, istenen dilde.', en: 'The event in words, in the language asked for.' },
      'Müşteri oluşturuldu.',
    ),
    date: shownText(
      { tr: 'Zamanı: GG.AA.YYYY SS:DD.', en: 'When it happened: DD.MM.YYYY HH:mm.' },
      '15.11.2026 09:30',
    ),
    icon: shownText({ tr: 'Simgesinin sınıf adı.', en: 'The class name of its icon.' }, 'icon-plus'),
  },
)

export function beginning(now: Date): TimelineEntry[] {
  return [{ type: 'created', order: 1, at: now.getTime() }]
}

/** The timeline with a change at its end. The creation is never forgotten, and `order` counts what is. */
export function withChange(timeline: readonly TimelineEntry[], now: Date): TimelineEntry[] {
  const [created, ...changes] = timeline
  if (!created) throw new Error('a timeline begins with the creation')
  const order = (timeline.at(-1)?.order ?? 1) + 1
  const kept = changes.slice(Math.max(0, changes.length - (keptEntries - 2)))
  return [created, ...kept, { type: 'updated', order, at: now.getTime() }]
}

export function shownTimeline(
  timeline: readonly TimelineEntry[],
  texts: TimelineTexts,
  language: Language,
  zone: string,
): Static<typeof ShownTimeline>[] {
  return timeline.map(({ type, order, at }) => ({
    type,
    order,
    text: texts[type][language],
    date: displayTime(new Date(at), zone),
    icon: icons[type],
  }))
}
