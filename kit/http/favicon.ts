import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { lazily } from '../runtime/lazy.ts'

const url = '/favicon.ico'
const icon = lazily(() => readFileSync(join(import.meta.dirname, 'favicon.ico')))
const headers = { 'cache-control': 'public, max-age=86400', 'content-type': 'image/x-icon' }

/** Serves the icon that browsers ask for if a page names none. It is a plain card: such a page shows no mark of ours. */
export function mountFavicon(app: FastifyInstance): void {
  app.get(url, (request, reply) => {
    request.pattern = url
    return reply.headers(headers).send(icon())
  })
}
