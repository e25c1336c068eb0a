import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { noSuchRoute, Refused } from '../kit/refusals.ts'
import { countries } from '../kit/regions.ts'

const url = '/flags/:file'
const packageFile = createRequire(import.meta.url).resolve('country-flag-icons/package.json')

const headers = {
  'cache-control': 'public, max-age=2592000',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The address of a country's flag. */
export function flagUrl(apiUrl: string, country: string): string {
  return `${apiUrl}/flags/${country.toLowerCase()}.svg`
}

/** Serves the flags. Answers the address pattern that it takes. */
export function mountFlags(app: FastifyInstance): { method: 'GET'; url: string } {
  const flags = new Map<string, string>()
  app.get<{ Params: { file: string } }>(url, (request, reply) => {
    request.pattern = url
    const { file } = request.params
    const code = /^([a-z]{2})\.svg$/.exec(file)?.[1]?.toUpperCase() ?? ''
    if (!countries.has(code)) throw new Refused(noSuchRoute)
    const flag = flags.get(code) ?? readFlag(code)
    flags.set(code, flag)
    return reply.headers(headers).type('image/svg+xml; charset=utf-8').send(flag)
  })
  return { method: 'GET', url }
}

function readFlag(code: string): string {
  return readFileSync(join(dirname(packageFile), '3x2', `${code}.svg`), 'utf8')
}
