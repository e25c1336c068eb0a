import { command } from '../kit/command-line/command.ts'
import { terminalSafeText } from '../kit/command-line/terminal-safe-text.ts'
import { CreateMerchant, createMerchant } from './merchants/index.ts'
import { ensureDemoPos, posOfMerchant } from './pos/index.ts'
import type { Services } from './services.ts'

/**
 * Creates a merchant. A test merchant gets two POS at the sandbox bank, so it can be paid immediately. A live merchant
 * needs a POS of a real bank, so the next command is printed. Guarantee: everything is created, or nothing.
 */
export const createMerchantCommand = command({
  input: CreateMerchant,
  run: async (services: Services, input, print) => {
    const { merchant, secretKey, publicKey, poses } = await services.sql.transaction(async (sql) => {
      const inTransaction = { ...services, sql }
      const made = await createMerchant(inTransaction, input)
      if (!made.merchant.live) await ensureDemoPos(inTransaction, made.merchant)
      return { ...made, poses: await posOfMerchant(sql, made.merchant.id) }
    })
    print(
      `merchant    ${merchant.id}  ${terminalSafeText(merchant.name)} (${merchant.live ? 'live' : 'test'})`,
    )
    print(`secret key  ${secretKey}`)
    print(`public key  ${publicKey}`)
    for (const { id, name } of poses) print(`POS         ${id}  ${name}`)
    print('Store the secret key now: it is not shown again.')
    if (merchant.live) {
      print(`The merchant has no POS yet. Next: vezne pos add ${merchant.id} (see vezne help pos add)`)
    }
  },
})
