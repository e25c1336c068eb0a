import type { SandboxTools } from '../bank/terminal.ts'
import { isTerminalPassword } from '../bank/terminal.ts'

/** True if the text has the form of a shop number. */
export function isClientId(text: string): boolean {
  return /^\d{9,12}$/.test(text)
}

/**
 * Key with which a shop and the gate sign. It is derived from the shop number, so that nobody has to apply
 * for one.
 */
export function storeKeyOf(clientId: string): string {
  return `SKEY${clientId}`
}

/** Name of the shop in callbacks. */
export const merchantName = 'Sandbox Bank deneme magazasi'
/** Name with letters that only a reader of ISO-8859-9 decodes correctly. */
export const turkishMerchantName = 'Işıklı Çiçekçilik Ürünleri Ltd. Şti.'

/**
 * True if the name and the password are those that enrolled the shop. An unknown shop is enrolled with them.
 */
export async function isShopAuthenticated(
  tools: SandboxTools,
  { clientId, name, password }: { clientId: string; name: string; password: string },
): Promise<boolean> {
  if (!isClientId(clientId) || name === '' || password === '') return false
  return isTerminalPassword(tools, clientId, JSON.stringify([name, password]))
}
