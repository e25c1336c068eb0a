import type { Bank } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Pos } from './pos.ts'
import type { PosSecrets } from './secrets.ts'
import { openSecretsIfKeyKnown } from './secrets.ts'
import { settingsWithDefaults } from './settings.ts'
import type { SealedPos } from './store.ts'
import { sealedPosById, sealedSecretsOf } from './store.ts'

type Opening = Pick<Services, 'keyring' | 'connectors' | 'config' | 'http' | 'clock' | 'random' | 'log'>

/**
 * Opens a POS of the merchant in any state, because earlier requests to its bank must still be followed up.
 * Returns the reason if it cannot be opened, without secrets. Guarantee: a test merchant's POS leads to the
 * sandbox, a live merchant's never does.
 */
export async function openPos(
  services: Opening & Pick<Services, 'sql'>,
  merchant: Pick<Merchant, 'id' | 'live'>,
  posId: number,
): Promise<Bank | string> {
  return openSealedPos(services, merchant, await sealedPosById(services.sql, merchant.id, posId))
}

/** Opens a POS that the caller has just read. */
export function openSealedPos(
  services: Opening,
  merchant: Pick<Merchant, 'live'>,
  pos: SealedPos | undefined,
): Bank | string {
  const { http, clock, random, log, config } = services
  if (!pos) return 'the merchant has no such POS'
  const connector = services.connectors.find(({ name }) => name === pos.connector)
  if (!connector) return `this program has no connector "${pos.connector}"`
  if (connector.mode !== (merchant.live ? 'live' : 'test'))
    return `this merchant cannot use a ${connector.mode} connector`
  const secrets = openSecretsIfKeyKnown(services, pos)
  if (!secrets) return 'its secrets cannot be opened with VEZNE_SECRET or VEZNE_SECRET_PREVIOUS'
  const missing = connector.secrets.filter(({ name }) => secrets[name] === undefined)
  if (missing.length > 0) return `its secrets lack ${missing.map(({ name }) => name).join(', ')}`
  return connector.open(
    { http, clock, random, log },
    {
      sandboxUrl: config.sandboxUrl,
      settings: settingsWithDefaults(connector, pos.settings),
      secrets,
      timeoutMs: config.bankTimeoutSeconds * 1000,
    },
  )
}

export async function openSecretsOfPos(
  services: Pick<Services, 'sql' | 'keyring'>,
  pos: Pos,
): Promise<PosSecrets | undefined> {
  return openSecretsIfKeyKnown(services, await sealedSecretsOf(services.sql, pos))
}
