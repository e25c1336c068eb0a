import type { FastifyInstance } from 'fastify'
import { noSuchRoute, Refused } from '../../kit/input/refusals.ts'

/** Headers with which any site may show a picture. */
export const anyOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

const headers = { 'cache-control': 'public, max-age=2592000', ...anyOrigin }

/**
 * Serves the pictures of a folder: `/flags/tr.svg` is `pictureOf('tr')`. Guarantee: any site may show and
 * cache them; an unknown picture gives 404.
 */
export function mountPictures(
  app: FastifyInstance,
  folder: string,
  pictureOf: (name: string) => string | undefined,
): void {
  const url = `/${folder}/:file`
  app.get<{ Params: { file: string } }>(url, (request, reply) => {
    request.pattern = url
    const [, name] = /^([a-z\d-]+)\.svg$/.exec(request.params.file) ?? []
    const picture = name === undefined ? undefined : pictureOf(name)
    if (picture === undefined) throw new Refused(noSuchRoute)
    return reply.headers(headers).type('image/svg+xml; charset=utf-8').send(picture)
  })
}
