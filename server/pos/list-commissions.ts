import { shownListSchema } from '../../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { objectSchema, optional } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { binNumber, cardOfBin } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { ShownCommission, shownCommission, sortedCommissions } from './commission.ts'
import type { PosCandidate } from './offer.ts'
import { candidatesForCard } from './offer.ts'
import { posWithCommissions } from './store.ts'

const BinFilter = objectSchema({ bin_number: optional(binNumber) })

export const listCommissionsRoute = route({
  method: 'POST',
  url: '/v1/pos/commissions',
  summary: { tr: 'Komisyon ve taksitleri listele', en: 'List commissions and installments' },
  description: {
    tr: 'POS’larınızın şu anda geçerli komisyon oranlarını taksit sayılarıyla döndürür. `bin_number` gönderilirse yalnızca ödeme alan POS’ların, o kartın ailesi ve segmenti için geçerli oranları döner; bilinmeyen bir BIN için liste boştur. `bin_number` sorguda, JSON gövdesinde veya form gövdesinde gönderilebilir.',
    en: 'Returns the current commission rates of your POS configurations, by number of installments. With `bin_number`, it returns only the rates for that card’s family and segment, from POS that take payments; for an unknown BIN, the list is empty. `bin_number` can be sent in the query, in a JSON body or in a form body.',
  },
  credential: 'secret',
  query: BinFilter,
  body: BinFilter,
  answer: bareResponseDefinition(
    shownListSchema({ tr: 'Komisyon oranları.', en: 'Commission rates.' }, ShownCommission),
  ),
  handle: async (services: Services, merchant: Merchant, { query, body, language }) => {
    const found = await listCommissions(services, merchant, oneBin(query.bin_number, body.bin_number))
    const { apiUrl } = services.config
    return found.map(({ pos, commission }) => shownCommission(commission, pos, merchant, language, apiUrl))
  },
})

/** Current rates: all, or those of one card. */
export async function listCommissions(
  services: Pick<Services, 'sql' | 'clock' | 'cache'>,
  merchant: Merchant,
  bin: number | undefined,
): Promise<PosCandidate[]> {
  const poses = await posWithCommissions(services.sql, merchant.id, services.clock.now())
  const all = poses.flatMap((priced) =>
    sortedCommissions(priced).map((commission) => ({ pos: priced.pos, commission })),
  )
  if (bin === undefined) return all
  const card = await cardOfBin(services, bin)
  const gets = candidatesForCard({ card, installmentsOffered: merchant.supportsInstallment, poses })
  return all.filter(({ commission }) => gets.some((each) => each.commission.id === commission.id))
}

/** BIN of the request; refuses different values in the query and the body. */
function oneBin(inQuery: number | undefined, inBody: number | undefined): number | undefined {
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) {
    throw invalidParameter('bin_number', {
      tr: 'Sorguda ve gövdede farklı değerler gönderilmiş.',
      en: 'The query and the body contain different values.',
    })
  }
  return inBody ?? inQuery
}
