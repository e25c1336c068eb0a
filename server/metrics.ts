import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { noSchemaController } from './kit/web-app.ts'
import type { Services } from './services.ts'

/** The metrics' own app on its own port: they are for whoever operates the service, not for the outside. */
export function metricsApp({ metrics }: Services): FastifyInstance {
  const app = Fastify({ logger: false, schemaController: noSchemaController })
  app.get('/metrics', async (_request, reply) => {
    const { registry } = metrics
    return reply.type(registry.contentType).send(await registry.metrics())
  })
  return app
}
