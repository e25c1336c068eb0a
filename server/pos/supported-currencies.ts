import { invalidParameter } from '../../kit/input/refusals.ts'
import { connectorByName } from '../connectors/index.ts'
import type { Pos } from './pos.ts'

/** Refuses currencies that the connector does not support, because such payments could only fail. */
export function assertCurrenciesSupported({
  connector,
  currencies,
}: Pick<Pos, 'connector' | 'currencies'>): void {
  const supported = connectorByName(connector)?.currencies
  if (!supported || currencies.every((currency) => supported.includes(currency))) return
  const all = supported.join(', ')
  throw invalidParameter('currencies', {
    tr: `Bu bağlayıcının desteklediği para birimleri: ${all}.`,
    en: `This connector supports these currencies: ${all}.`,
  })
}
