import type { BackgroundJob } from '../../kit/runtime/job.ts'
import type { Services } from '../services.ts'
import { purgeDeliveries } from './deliver/purge-deliveries.ts'
import { updateDeliveryGauges } from './deliver/update-delivery-gauges.ts'
import { listDeliveriesRoute } from './deliveries/list-deliveries.ts'
import { readDeliveryRoute } from './deliveries/read-delivery.ts'
import { resendEventRoute } from './deliveries/resend-event.ts'
import { resendFailedRoute } from './deliveries/resend-failed.ts'
import { testWebhookRoute } from './deliveries/test-webhook.ts'
import { changeWebhookRoute } from './manage/change-webhook.ts'
import { createWebhookRoute } from './manage/create-webhook.ts'
import { deleteWebhookRoute } from './manage/delete-webhook.ts'
import { listWebhooksRoute } from './manage/list-webhooks.ts'
import { readWebhookRoute } from './manage/read-webhook.ts'
import { rotateSecretRoute } from './manage/rotate-secret.ts'
import { resealWebhookSecretsInBackground } from './operator/reseal-secrets.ts'

export { deliveryJob } from './deliver/deliver.ts'
export { repairDeliveryDueTimes } from './deliver/repair-due-times.ts'
export { documentedWebhookMessages } from './messages.ts'

/** Routes in the order of the API reference. */
export const webhookRoutes = [
  createWebhookRoute,
  readWebhookRoute,
  listWebhooksRoute,
  changeWebhookRoute,
  rotateSecretRoute,
  testWebhookRoute,
  listDeliveriesRoute,
  readDeliveryRoute,
  resendFailedRoute,
  deleteWebhookRoute,
  resendEventRoute,
]

export const webhookJobs: BackgroundJob<Services>[] = [
  { name: 'count waiting deliveries', everyMs: 15_000, isGauge: true, work: updateDeliveryGauges },
  { name: 'delete old deliveries', everyMs: 10 * 60 * 1000, work: purgeDeliveries },
  { name: 'reseal webhook secrets', everyMs: 60 * 60 * 1000, work: resealWebhookSecretsInBackground },
]
