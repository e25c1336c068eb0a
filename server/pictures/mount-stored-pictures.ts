import type { FastifyInstance } from 'fastify'
import { noSuchRoute, Refused, serviceUnavailable } from '../../kit/input/refusals.ts'
import { LimitedConcurrencyQueue } from '../../kit/runtime/limited-concurrency-queue.ts'
import type { RequestDeadlines } from '../database/request-deadlines.ts'
import type { Services } from '../services.ts'
import type { PictureSize } from './picture.ts'
import { digestPattern, picturePaths } from './picture.ts'
import { pictureBytes } from './store.ts'

/** Anyone may ask for pictures, so they take few of the database's connections, and few requests wait for one. */
const atOnce = 2
const maxWaiting = 200
export const maxCachedTiles = 500

const cacheHeaders = { 'cache-control': 'public, max-age=31536000, immutable' }

/**
 * Serves the pictures that merchants sent, in this size, with these headers. Guarantee: a response holds a picture that
 * we encoded, and its address never shows another one.
 */
export function mountStoredPictures(
  app: FastifyInstance,
  services: Services,
  deadlines: RequestDeadlines,
  size: PictureSize,
  headers: Readonly<Record<string, string>> = {},
): void {
  const queue = new LimitedConcurrencyQueue(atOnce)
  const tiles = new Map<string, Buffer>()
  let waiting = 0
  const read = async (merchantId: number, digest: string, { sql }: Services) => {
    if (waiting >= maxWaiting) throw new Refused(serviceUnavailable, { retryAfterS: 1 })
    waiting++
    try {
      const bytes = await queue.run(() => pictureBytes(sql, { merchantId, digest }, size))
      if (!bytes) throw new Refused(noSuchRoute)
      return bytes
    } finally {
      waiting--
    }
  }
  const url = `${picturePaths[size]}/:merchant/:file`
  app.get<{ Params: { merchant: string; file: string } }>(url, async (request, reply) => {
    request.pattern = url
    const { merchant, file } = request.params
    const digest = file.replace(/\.webp$/, '')
    if (!/^[1-9]\d{0,14}$/.test(merchant) || !file.endsWith('.webp') || !digestPattern.test(digest))
      throw new Refused(noSuchRoute)
    const name = `${merchant}/${digest}`
    let bytes = tiles.get(name)
    if (!bytes) {
      bytes = await deadlines.run(request, services, (own) => read(Number(merchant), digest, own))
      if (size === 'tile') {
        if (tiles.size >= maxCachedTiles) tiles.clear()
        tiles.set(name, bytes)
      }
    }
    return reply
      .headers({ ...cacheHeaders, ...headers })
      .type('image/webp')
      .send(bytes)
  })
}
