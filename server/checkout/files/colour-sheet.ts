import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Config } from '../../config.ts'
import { pageBasePathOf } from './assets.ts'
import type { Palette } from './colour.ts'
import { derivePalette, themes } from './colour.ts'

interface Sheet {
  css: string
  /** Hash of the contents in the address, so that caching browsers load a changed sheet. */
  hash: string
  /** Subresource integrity hash. */
  integrity: string
}

/** Bounded, because any colour can be requested and merchants use few. */
const known = new BoundedCache<string, Sheet>(500)

/** Stylesheet for a merchant's colour, for the light and the dark theme. */
export function colourSheetWithHashes(colour: string): Sheet {
  return known.get(colour, madeSheet)
}

function madeSheet(colour: string): Sheet {
  const dark = `@media (prefers-color-scheme:dark){${rule(derivePalette(colour, themes.dark))}}`
  const css = `${rule(derivePalette(colour, themes.light))}\n${dark}\n`
  const integrity = `sha384-${hash('sha384', css, 'base64')}`
  return { css, hash: hash('sha256', css, 'hex').slice(0, 8), integrity }
}

/** Address of the stylesheet for browsers. */
export function colourAddress(config: Pick<Config, 'pageUrl'>, colour: string): string {
  const name = colour.toLowerCase()
  return `${pageBasePathOf(config)}/assets/colour-${name.slice(1)}.css?${colourSheetWithHashes(name).hash}`
}

export function colourIntegrity(colour: string): string {
  return colourSheetWithHashes(colour.toLowerCase()).integrity
}

const url = '/assets/colour-:colour(^[0-9a-f]{6}$).css'

/** Serves the stylesheet of any colour. It is computed, and not tied to a merchant. */
export function mountColours(app: FastifyInstance): void {
  app.get<{ Params: { colour: string } }>(url, (request, reply) => {
    request.pattern = '/assets/:name'
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('text/css; charset=utf-8')
      .send(colourSheetWithHashes(`#${request.params.colour}`).css)
  })
}

function rule({ accent, onAccent, accentSoft, button, onButton }: Palette): string {
  return `:root{--accent:${accent};--on-accent:${onAccent};--accent-soft:${accentSoft};--button:${button};--on-button:${onButton}}`
}
