import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import { asStaticHtml, html } from '../../../kit/text/html.ts'
import type { Config } from '../../config.ts'
import { assetByName, pageBasePathOf } from './assets.ts'
import type { Palette } from './colour.ts'
import { derivePalette, themes } from './colour.ts'
import type { InlineStyle } from './inline-style.ts'
import { inlineStyle } from './inline-style.ts'

/** One per address at which browsers see the page. */
const known = new BoundedCache<string, InlineStyle>(10)

/** Style of the payment page. Its pictures are at our addresses, also behind a proxy with a base path. */
export function pageStyle(config: Pick<Config, 'pageUrl'>): InlineStyle {
  return known.get(pageBasePathOf(config), (basePath) => {
    const css = String(assetByName('page.css').bytes).replaceAll('"./', () => `"${basePath}/assets/`)
    const { markup, source } = inlineStyle(css)
    return { markup: asStaticHtml(markup), source }
  })
}

/** Bounded, because merchants use few of all colours. */
const knownColours = new BoundedCache<string, InlineStyle>(500)

/** Style of a merchant's colour, for the light and the dark theme. */
export function colourStyle(colour: string): InlineStyle {
  return knownColours.get(colour.toLowerCase(), (lower) => {
    const dark = `@media (prefers-color-scheme:dark){${rule(derivePalette(lower, themes.dark))}}`
    return inlineStyle(`${rule(derivePalette(lower, themes.light))}${dark}`, html` data-colour="${lower}"`)
  })
}

function rule({ accent, onAccent, accentSoft, button, onButton }: Palette): string {
  return `:root{--accent:${accent};--on-accent:${onAccent};--accent-soft:${accentSoft};--button:${button};--on-button:${onButton}}`
}
