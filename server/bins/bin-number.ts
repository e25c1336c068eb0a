import { fixedLengthIntegerField } from '../../kit/input/fields.ts'
import { longestPrefix } from './bin-table.ts'

/** Request parameter that names a card. */
export const binNumber = fixedLengthIntegerField(
  { tr: 'Kart numarasının ilk sekiz hanesi.', en: 'First eight digits of the card number.' },
  { count: longestPrefix, example: 40430800 },
)
