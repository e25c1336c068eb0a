import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../../../kit/http/bundle.ts'
import { buildAsset } from '../../../kit/http/bundle.ts'
import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Palette } from './colour.ts'
import { derivePalette, themes } from './colour.ts'

/** Bounded, because any colour can be requested and merchants use few. */
const known = new BoundedCache<string, Asset>(500)

/** Stylesheet for a merchant's colour, for the light and the dark theme. */
export function colourAsset(colour: string): Asset {
  return known.get(colour.toLowerCase(), makeAsset)
}

function makeAsset(colour: string): Asset {
  const dark = `@media (prefers-color-scheme:dark){${rule(derivePalette(colour, themes.dark))}}`
  const css = `${rule(derivePalette(colour, themes.light))}\n${dark}\n`
  const asset = buildAsset(`colour-${colour.slice(1)}.css`, 'the merchant’s colour', Buffer.from(css))
  // A hash of the contents in the address, so that caching browsers load a changed sheet.
  return { ...asset, name: `${asset.name}?${hash('sha256', css, 'hex').slice(0, 8)}` }
}

const url = '/assets/colour-:colour(^[0-9a-f]{6}$).css'

/** Serves the stylesheet of any colour. It is computed, and not tied to a merchant. */
export function mountColours(app: FastifyInstance): void {
  app.get<{ Params: { colour: string } }>(url, (request, reply) => {
    request.pattern = '/assets/:name'
    const { type, bytes } = colourAsset(`#${request.params.colour}`)
    return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(bytes)
  })
}

function rule({ accent, onAccent, accentSoft, button, onButton }: Palette): string {
  return `:root{--accent:${accent};--on-accent:${onAccent};--accent-soft:${accentSoft};--button:${button};--on-button:${onButton}}`
}
