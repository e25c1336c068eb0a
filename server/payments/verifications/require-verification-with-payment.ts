import { invalidParameter } from '../../../kit/input/refusals.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { workWithMerchant } from '../bank-calls/settle-manually.ts'
import type { VerificationWithPayment } from '../records/verification.ts'
import { verificationWork } from './verification-work.ts'

const noSuchApproval: LocalizedText = {
  tr: 'Bu numarayla, bankanın tutar belirtmeden onayladığı bir ödeme denemesi veya banka işlemi yok. Numaraların listesi: vezne payment unknown --all',
  en: 'There is no attempt or modification with this ID that was approved without an amount. List the IDs with: vezne payment unknown --all',
}

/** The approval that a command names by the id of its attempt or modification. */
export async function requireVerificationWithPayment(
  services: Pick<Services, 'sql'>,
  id: number,
): Promise<{ merchant: Merchant; context: VerificationWithPayment }> {
  const found = await workWithMerchant(services, verificationWork, id)
  if (!found) throw invalidParameter('id', noSuchApproval)
  return { merchant: found.merchant, context: found.state }
}
