import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about webhooks and their deliveries, in the order in which the help prints them. */
export const webhookCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'listen',
    about:
      'Shows the events of a test merchant as they happen, and forwards them as signed webhooks to a program on this machine. Press Ctrl-C to stop.',
    example: 'vezne listen --forward http://localhost:3000/webhooks',
    load: async () => (await import('./listen.ts')).listenCommand,
  },
  {
    name: 'webhook list',
    about:
      'Lists webhooks, newest first: status, duration of the failure, and number of pending and failed deliveries.',
    example: 'vezne webhook list',
    load: async () => (await import('./operator/list-webhooks.ts')).listWebhooksCommand,
  },
  {
    name: 'webhook deliveries',
    about: 'Lists the deliveries to a webhook, newest first, with the result of the last attempt of each.',
    example: 'vezne webhook deliveries 10000000000701 --status failed',
    load: async () => (await import('./operator/list-deliveries.ts')).listDeliveriesCommand,
  },
  {
    name: 'webhook resend',
    about: 'Sends the event of a delivery to its webhook again. The webhook must be enabled.',
    example: 'vezne webhook resend 10000000000801',
    load: async () => (await import('./operator/resend-delivery.ts')).resendDeliveryCommand,
  },
  {
    name: 'webhook resend-failed',
    about:
      'Sends failed events to a webhook again: those that failed since the given time and have not arrived since. Each event is sent once.',
    example: 'vezne webhook resend-failed 10000000000701 --since 2026-11-15',
    load: async () => (await import('./operator/resend-failed.ts')).resendFailedCommand,
  },
  {
    name: 'webhook enable',
    about:
      'Enables a webhook: pending deliveries are attempted again, and its record of failures is cleared.',
    example: 'vezne webhook enable 10000000000701',
    load: async () => (await import('./operator/enable-webhook.ts')).enableWebhookCommand,
  },
  {
    name: 'webhook disable',
    about:
      'Disables a webhook: pending deliveries wait until it is enabled, and later events are not sent to it.',
    example: 'vezne webhook disable 10000000000701',
    load: async () => (await import('./operator/disable-webhook.ts')).disableWebhookCommand,
  },
  {
    name: 'webhook reseal',
    about:
      'Seals the secrets of every webhook with VEZNE_SECRET. After that, VEZNE_SECRET_PREVIOUS can be removed.',
    example: 'vezne webhook reseal',
    load: async () => (await import('./operator/reseal-secrets.ts')).resealWebhookSecretsCommand,
  },
]
