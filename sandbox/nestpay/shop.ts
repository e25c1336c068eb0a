import type { SandboxTools } from '../bank/terminal.ts'
import { isTerminalPassword } from '../bank/terminal.ts'

/** A shop of the bank is known by its number. */
export function isClientId(text: string): boolean {
  return /^\d{9,12}$/.test(text)
}

/** The key with which a shop and the gate sign. It follows from the number, so that nobody has to apply for one. */
export function storeKeyOf(clientId: string): string {
  return `SKEY${clientId}`
}

/** What the bank calls the shop towards its merchants. */
export const merchantName = 'Sandbox Bank deneme magazasi'
/** The same with letters that only a right reading of ISO-8859-9 brings across. */
export const turkishMerchantName = 'Işıklı Çiçekçilik Ürünleri Ltd. Şti.'

/** Whether the shop is who it says. One that nobody has seen is enrolled with the name and password it comes with. */
export async function isShopAuthenticated(
  tools: SandboxTools,
  { clientId, name, password }: { clientId: string; name: string; password: string },
): Promise<boolean> {
  if (!isClientId(clientId) || name === '' || password === '') return false
  return isTerminalPassword(tools, clientId, JSON.stringify([name, password]))
}
