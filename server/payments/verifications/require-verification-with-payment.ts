import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { locateVerification, verificationWithPaymentOf } from '../records/verification.sql.ts'
import type { VerificationWithPayment } from '../records/verification.ts'

const noSuchApproval: LocalizedText = {
  tr: 'Bu numarayla, bankanın tutar belirtmeden onayladığı bir ödeme denemesi veya banka işlemi yok. Numaraların listesi: vezne payment unknown --all',
  en: 'There is no attempt or modification with this ID that was approved without an amount. List the IDs with: vezne payment unknown --all',
}

/** The approval that a command names by the id of its attempt or modification. */
export async function requireVerificationWithPayment(
  { sql }: Pick<Services, 'sql'>,
  id: number,
): Promise<{ merchant: Merchant; context: VerificationWithPayment }> {
  const ownedId = await locateVerification(sql, id)
  const context = ownedId && (await verificationWithPaymentOf(sql, ownedId))
  const merchant = ownedId && (await merchantById(sql, ownedId.merchantId))
  if (!context || !merchant) throw invalidParameter('id', noSuchApproval)
  return { merchant, context }
}
