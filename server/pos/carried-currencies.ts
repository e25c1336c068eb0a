import { connectorNamed } from '../connectors/index.ts'
import { invalidParameter } from '../kit/refusals.ts'
import type { Pos } from './pos.ts'

/** Refuses currencies that the connector of a POS cannot carry: no payment must begin that can only fail. */
export function assertCarried({ connector, currencies }: Pick<Pos, 'connector' | 'currencies'>): void {
  const carried = connectorNamed(connector)?.currencies
  if (!carried || currencies.every((currency) => carried.includes(currency))) return
  const all = carried.join(', ')
  throw invalidParameter('currencies', {
    tr: `Bu bağlayıcının taşıdığı para birimleri: ${all}.`,
    en: `This connector carries: ${all}.`,
  })
}
