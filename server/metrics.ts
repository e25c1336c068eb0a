import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { noSchemaController } from '../kit/http/web-app.ts'
import type { Services } from './services.ts'

/** Former metric names, kept so that alerts on an old name keep working. */
const renamedMetrics: Readonly<Record<string, string>> = {
  vezne_unknown_outcomes_for_people: 'vezne_unknown_outcomes_in_manual_review',
  vezne_unsettled_deeds: 'vezne_unsettled_modifications',
  vezne_unsettled_deeds_for_people: 'vezne_unsettled_modifications_in_manual_review',
  vezne_oldest_unsettled_deed_seconds: 'vezne_oldest_unsettled_modification_seconds',
  vezne_approvals_for_people: 'vezne_approvals_in_manual_review',
  vezne_refunds_for_people: 'vezne_refunds_in_manual_review',
  vezne_oldest_refund_for_people_seconds: 'vezne_oldest_refund_in_manual_review_seconds',
  vezne_webhook_tries_total: 'vezne_webhook_attempts_total',
  vezne_webhook_first_try_delay_seconds: 'vezne_webhook_first_attempt_delay_seconds',
}

/** App for the metrics on its own port: metrics are for operators and not public. */
export function metricsApp({ metrics }: Pick<Services, 'metrics'>): FastifyInstance {
  const app = Fastify({ logger: false, schemaController: noSchemaController })
  app.get('/metrics', async (_request, reply) => {
    const { registry } = metrics
    return reply.type(registry.contentType).send(withOldNames(await registry.metrics()))
  })
  return app
}

/** Repeats renamed metrics under their old names, with a help text that gives the new one. */
function withOldNames(text: string): string {
  const families = text.trimEnd().split('\n\n')
  const repeated = Object.entries(renamedMetrics).flatMap(([oldName, newName]) => {
    const family = families.find((each) => each.startsWith(`# HELP ${newName} `))
    const [, ...rest] =
      family?.replaceAll(new RegExp(`^(# TYPE )?${newName}`, 'gm'), `$1${oldName}`).split('\n') ?? []
    return family ? [[`# HELP ${oldName} Renamed: use ${newName}.`, ...rest].join('\n')] : []
  })
  return `${[...families, ...repeated].join('\n\n')}\n`
}
