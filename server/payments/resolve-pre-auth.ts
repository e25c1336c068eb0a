import { envelopeResponseDefinition, nullResultSchema, route } from '../../kit/api/route.ts'
import { booleanField, objectSchema } from '../../kit/input/fields.ts'
import { invalidParameter, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { startCaptureOrRelease } from './holds/start-capture-or-release.ts'
import { amountNotHeldRefusal, preAuthAlreadyResolved } from './refusals.ts'
import {
  transactionIdField,
  unknownTransactionComplaint,
  unknownTransactionComplaints,
} from './transaction-id-field.ts'

const ResolvePreAuth = objectSchema({
  transaction_id: transactionIdField,
  status: booleanField(
    {
      tr: 'true ise bloke edilen tutar tahsil edilir (provizyon kapama); false ise bloke kaldırılır (provizyon iptali) ve işlem başarısız olur.',
      en: 'True captures the held amount. False releases it, and the transaction fails.',
    },
    { example: true },
  ),
})

export const resolvePreAuthRoute = route({
  method: 'POST',
  url: '/v1/transaction/resolve-pre-auth',
  summary: { tr: 'Ön provizyonu sonuçlandır', en: 'Resolve pre-authorization' },
  description: {
    tr: 'Tamamlanmış bir ön provizyonu sonuçlandırır: tutarı tahsil eder (provizyon kapama) veya blokeyi kaldırır (provizyon iptali). İstek hemen yanıtlanır, banka işlemi sonra yapılır. Sonucu işlem sorgusundan veya `pre_auth.completed` ve `pre_auth.failed` olaylarından öğrenin.',
    en: 'Resolves a completed pre-authorization: captures the held amount or releases it. The response is immediate; the bank executes the request afterwards. Learn the outcome from the transaction, or from the events `pre_auth.completed` and `pre_auth.failed`.',
  },
  credential: 'secret',
  body: ResolvePreAuth,
  answer: envelopeResponseDefinition(nullResultSchema, {
    tr: 'Ön provizyon güncelleme isteği alındı.',
    en: 'The request to update the pre-authorization was received.',
  }),
  refusals: [amountNotHeldRefusal, preAuthAlreadyResolved],
  objections: (services: Services, merchant: Merchant, { body }) =>
    unknownTransactionComplaints(services, merchant, body.transaction_id),
  handle: async (services: Services, merchant: Merchant, { body, key }) => {
    const request = { resolution: body.status ? 'capture' : 'release', by: `key ${key.id}` } as const
    switch (await startCaptureOrRelease(services, merchant, body.transaction_id, request)) {
      case 'absent':
        throw invalidParameter('transaction_id', unknownTransactionComplaint)
      case 'not_held':
        throw new Refused(amountNotHeldRefusal)
      case 'already_resolved':
        throw new Refused(preAuthAlreadyResolved)
      case 'resolved':
        return null
    }
  },
})
