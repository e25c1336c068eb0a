import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { isCountry } from '../../kit/money/countries-and-currencies.ts'
import { BoundedCache } from '../../kit/runtime/bounded-cache.ts'
import { mountPictures } from './mount-pictures.ts'

const packageFile = createRequire(import.meta.url).resolve('country-flag-icons/package.json')

export function flagUrl(apiUrl: string, country: string): string {
  return `${apiUrl}/flags/${country.toLowerCase()}.svg`
}

export function mountFlags(app: FastifyInstance): void {
  const flags = new BoundedCache<string, string>(1_000)
  mountPictures(app, 'flags', (name) => {
    const code = name.toUpperCase()
    return isCountry(code) ? flags.get(code, readFlag) : undefined
  })
}

function readFlag(code: string): string {
  return readFileSync(join(dirname(packageFile), '3x2', `${code}.svg`), 'utf8')
}
