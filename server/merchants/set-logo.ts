import { command, WrongUsage } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { booleanField, filePathField, objectSchema, optional } from '../../kit/input/fields.ts'
import { encodePictureFile, pictureUrl, replacePicture } from '../pictures/index.ts'
import type { Services } from '../services.ts'
import type { Merchant } from './merchant.ts'
import { merchantArgument, requireMerchant } from './show-merchant.ts'
import { lockMerchantById, updateMerchant } from './store.ts'

export const setLogoCommand = command({
  positionals: ['merchant', 'file'],
  input: objectSchema({
    ...merchantArgument.properties,
    file: optional(
      filePathField('PNG, JPEG or WebP picture, at most 512 KiB and 1024 pixels wide and high.'),
    ),
    remove: optional(booleanField('Removes the logo.')),
  }),
  run: async (services: Services, { merchant: id, file, remove = false }, print) => {
    if ((file === undefined) !== remove) throw new WrongUsage('Give a file, or --remove.')
    const { name, logo } = await setLogo(services, id, file)
    const named = `Merchant ${id} (${terminalSafeText(name)})`
    if (logo === null) return print(`${named} has no logo.`)
    print(
      `${named} has this logo: ${pictureUrl(services.config.apiUrl, 'whole', { merchantId: id, digest: logo })}`,
    )
    print('Payment pages show it within five seconds.')
  },
})

/** Gives a merchant the logo in this file, or none. */
async function setLogo(services: Services, id: number, file: string | undefined): Promise<Merchant> {
  await requireMerchant(services, id)
  const picture = file === undefined ? undefined : await encodePictureFile(services, id, file, 'contain')
  return services.sql.transaction(async (sql) => {
    const merchant = await requireMerchant({ sql }, id, lockMerchantById)
    const now = services.clock.now()
    await replacePicture(sql, { merchantId: id, digest: merchant.logo }, picture, now)
    const changed = { ...merchant, logo: picture?.digest ?? null, updatedAt: now }
    await updateMerchant(sql, changed)
    return changed
  })
}
