import type { Static } from 'typebox'
import { command, WrongUsage } from '../../kit/command-line/command.ts'
import { choiceField, objectSchema, optional } from '../../kit/input/fields.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { assertCurrenciesSupported, connectorFor } from './add-pos.ts'
import type { Pos } from './pos.ts'
import { posArgument, posFields } from './pos.ts'
import type { PosSecrets } from './secrets.ts'
import { readSecrets, sealForService } from './secrets.ts'
import { readSettings } from './settings.ts'
import { nameTakenRefusal, posTextLines, requirePos } from './show-pos.ts'
import { isNameTaken, posForUpdate, replaceSecrets, sealedSecretsOf, updatePos } from './store.ts'

const ChangePos = objectSchema({
  ...posArgument,
  name: optional(posFields.name),
  currencies: posFields.currencies,
  families: posFields.families,
  clear: optional(choiceField('Setting to clear.', ['families'])),
  state: posFields.state,
  priority: posFields.priority,
  secrets: posFields.secrets,
  setting: posFields.setting,
})

export const changePosCommand = command({
  positionals: ['pos'],
  input: ChangePos,
  run: async (services: Services, input, print) => {
    if (Object.keys(input).length === 1) throw new WrongUsage('Give at least one setting to change.')
    if (input.clear && input.families)
      throw new WrongUsage('Give either --families or --clear families, not both.')
    const pos = await requirePos(services, input.pos)
    const merchant = await requireMerchant(services, pos.merchantId)
    const secrets =
      input.secrets === undefined
        ? undefined
        : readSecrets(input.secrets, connectorFor(merchant, pos.connector))
    const { setting, ...rest } = input
    const settings = setting && readSettings(connectorFor(merchant, pos.connector), setting, pos.settings)
    const changed = await changePos(services, { ...rest, ...(settings && { settings }) }, secrets)
    for (const line of posTextLines(changed, merchant)) print(line)
  },
})

/** Changes only the given fields. The POS that began a payment finishes it. */
export async function changePos(
  services: Pick<Services, 'sql' | 'clock' | 'keyring' | 'random'>,
  input: Omit<Static<typeof ChangePos>, 'secrets' | 'setting'> & { settings?: Pos['settings'] },
  secrets: PosSecrets | undefined,
): Promise<Pos> {
  return services.sql.transaction(async (sql) => {
    const pos = await requirePos({ sql }, input.pos, posForUpdate)
    const changed: Pos = {
      ...pos,
      name: input.name ?? pos.name,
      currencies: [...new Set(input.currencies ?? pos.currencies)],
      families: input.clear === 'families' ? [] : [...new Set(input.families ?? pos.families)],
      state: input.state ?? pos.state,
      priority: input.priority ?? pos.priority,
      settings: input.settings ?? pos.settings,
      updatedAt: services.clock.now(),
    }
    if (input.currencies) assertCurrenciesSupported(changed)
    if (await isNameTaken(sql, changed)) throw nameTakenRefusal()
    await updatePos(sql, changed)
    if (secrets) {
      const sealed = await sealForService({ ...services, sql }, pos, secrets)
      await replaceSecrets(sql, await sealedSecretsOf(sql, pos), sealed)
    }
    return changed
  })
}
