import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Returns the reason the process cannot serve now; undefined if it can. */
export type ReadinessCheck = () => Promise<string | undefined>

/**
 * `/livez` reports that the process runs, even if a dependency is down: a restart would not bring a database
 * back. `/readyz` reports if the process can serve, so that load balancers can send requests elsewhere.
 */
export function mountHealthRoutes(app: FastifyInstance, readiness: ReadinessCheck): void {
  app.get('/livez', { onRequest: setPattern('/livez') }, async () => ({ status: 'alive' }))
  app.get('/readyz', { onRequest: setPattern('/readyz') }, async (_request, reply) => {
    const reason = await readiness()
    if (reason === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', 1).send({ status: 'not ready', reason })
  })
}

export function isHealthRequest({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === '/livez' || url === '/readyz'
}

function setPattern(pattern: string) {
  return (request: { pattern: string | undefined }, _reply: unknown, done: () => void) => {
    request.pattern = pattern
    done()
  }
}
