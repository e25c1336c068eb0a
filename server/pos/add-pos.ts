import type { Static } from 'typebox'
import { command } from '../../kit/command-line/command.ts'
import { choiceField, objectSchema, optional, parsedTextField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { ScaledPercentage } from '../../kit/money/percentage.ts'
import { parsePercentageField } from '../../kit/money/percentage.ts'
import type { Connector } from '../connectors/index.ts'
import { connectorByName, connectors } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantArgument, requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { otherCards } from './commission.ts'
import { rateTextLines } from './list-rates.ts'
import type { Pos } from './pos.ts'
import { posFields } from './pos.ts'
import type { PosSecrets } from './secrets.ts'
import { readSecrets, sealForService } from './secrets.ts'
import { readSettings } from './settings.ts'
import { nameTakenRefusal, posTextLines } from './show-pos.ts'
import type { RateChange } from './store.ts'
import { insertPos, insertRates } from './store.ts'

const { name, bank, ...options } = posFields

const rateField = (about: string) =>
  parsedTextField<ScaledPercentage>(about, { max: 10, parse: parsePercentageField })

const AddPos = objectSchema({
  ...merchantArgument.properties,
  name,
  bank,
  connector: choiceField(
    'Connector to the bank.',
    connectors.map(({ name }) => name),
  ),
  single_rate: rateField('Commission of a single payment with any card, in percent, for example 1.79.'),
  commercial_single_rate: optional(
    rateField(
      'Commission of a single payment with a commercial card, in percent. Default: as for other cards.',
    ),
  ),
  ...options,
})

export const addPosCommand = command({
  positionals: ['merchant'],
  input: AddPos,
  run: async (services: Services, input, print) => {
    const merchant = await requireMerchant(services, input.merchant)
    const connector = connectorFor(merchant, input.connector)
    const more = {
      secrets: secretsFor(services, connector, input.secrets),
      settings: readSettings(connector, input.setting ?? [], {}),
    }
    const pos = await addPos(services, merchant, input, more)
    for (const line of posTextLines(pos, merchant)) print(line)
    for (const line of await rateTextLines(services, pos, merchant)) print(line)
    print(`To set its rates for card families and installments: vezne rate set ${pos.id}`)
  },
})

/**
 * Adds a POS together with its rates for single payments, or nothing. Guarantee: a POS always has a rate for
 * single payments with any card, so every payment through it has a price.
 */
export async function addPos(
  services: Pick<Services, 'sql' | 'ids' | 'clock' | 'random' | 'keyring'>,
  merchant: Merchant,
  input: Omit<Static<typeof AddPos>, 'merchant' | 'secrets' | 'setting'>,
  { secrets, settings = {} }: { secrets: PosSecrets; settings?: Pos['settings'] },
): Promise<Pos> {
  const now = services.clock.now()
  const pos: Pos = {
    merchantId: merchant.id,
    id: await services.ids.next(),
    name: input.name,
    bankCode: input.bank,
    connector: input.connector,
    currencies: [...new Set(input.currencies ?? [merchant.currency])],
    families: [...new Set(input.families ?? [])],
    state: input.state ?? 'active',
    priority: input.priority ?? 10,
    settings,
    createdAt: now,
    updatedAt: now,
  }
  assertCurrenciesSupported(pos)
  const { single_rate: rate, commercial_single_rate: commercialRate = rate } = input
  const start = { validFrom: now, revision: 1, createdAt: now }
  const single = { posId: pos.id, family: otherCards, installment: 1, commissionBy: 'merchant' } as const
  const rates: RateChange[] = [
    { ...single, ...start, id: await services.ids.next(), segment: 'personal', rate },
    { ...single, ...start, id: await services.ids.next(), segment: 'commercial', rate: commercialRate },
  ]
  await services.sql.transaction(async (sql) => {
    const sealed = await sealForService({ ...services, sql }, pos, secrets)
    if (!(await insertPos(sql, pos, sealed))) throw nameTakenRefusal()
    await insertRates(sql, pos, rates)
  })
  return pos
}

/** A test merchant's payments never reach a real bank, and a live merchant's never reach the sandbox. */
export function connectorFor(merchant: Merchant, name: string): Connector {
  const connector = connectorByName(name)
  if (connector && (connector.mode === 'live') === merchant.live) return connector
  throw invalidParameter('connector', {
    tr: merchant.live
      ? `Canlı bir üye iş yeri sandbox bankasını kullanamaz. Gerçek bankalar için bağlayıcılar: ${connectorsFor(merchant)}.`
      : `Test üye iş yeri yalnızca sandbox bankasını kullanabilir: ${connectorsFor(merchant)}.`,
    en: merchant.live
      ? `A live merchant cannot use the sandbox bank. Connectors to real banks: ${connectorsFor(merchant)}.`
      : `A test merchant can use only the sandbox bank: ${connectorsFor(merchant)}.`,
  })
}

/** Refuses currencies that the connector does not support, because such payments could only fail. */
export function assertCurrenciesSupported({ connector, currencies }: Pos): void {
  const supported = connectorByName(connector)?.currencies
  if (!supported || currencies.every((currency) => supported.includes(currency))) return
  const all = supported.join(', ')
  throw invalidParameter('currencies', {
    tr: `Bu bağlayıcının desteklediği para birimleri: ${all}.`,
    en: `This connector supports these currencies: ${all}.`,
  })
}

function connectorsFor({ live }: Merchant): string {
  return connectors
    .filter(({ mode }) => (mode === 'live') === live)
    .map(({ name }) => name)
    .join(', ')
}

function secretsFor({ random }: Services, connector: Connector, file: string | undefined): PosSecrets {
  if (file !== undefined) return readSecrets(file, connector)
  if (connector.issueSecrets) return connector.issueSecrets(random)
  const names = connector.secrets.map(({ name }) => name).join(', ')
  throw invalidParameter('secrets', {
    tr: `Bu bağlayıcı için zorunludur: ${names}.`,
    en: `Required for this connector: ${names}.`,
  })
}
