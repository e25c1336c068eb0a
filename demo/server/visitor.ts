import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DemoShopOptions } from './shop.ts'

/**
 * Visitor who sends a request: a random id in a cookie, which the first response sets. Scripts cannot read the
 * cookie, and other sites cannot send it except by a link. A shop on https adds `Secure`.
 */
export function visitorOf(
  { port, random }: Pick<DemoShopOptions, 'port' | 'random'>,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  // All ports of a host share its cookies, so the name contains the port.
  const name = `demo-shop-${port}`
  const cookies = request.headers.cookie?.split('; ') ?? []
  const known = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
  if (known !== undefined && /^[\w-]{22}$/.test(known)) return known
  const visitor = random.bytes(16).toString('base64url')
  reply.header('set-cookie', `${name}=${visitor}; Path=/; HttpOnly; SameSite=Lax`)
  return visitor
}
