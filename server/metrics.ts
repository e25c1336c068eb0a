import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import type { Services } from './services.ts'

/** The metrics' own app on its own port: they are for whoever operates the service, not for the outside. */
export function metricsApp({ metrics: { registry } }: Services): FastifyInstance {
  const app = Fastify({ logger: false })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return app
}
