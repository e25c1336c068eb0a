import { hash } from 'node:crypto'
import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Html } from '../../../kit/text/html.ts'
import { asStaticHtml, rawHtml } from '../../../kit/text/html.ts'
import type { Config } from '../../config.ts'
import { assetByName, pageBasePathOf } from './assets.ts'
import type { Palette } from './colour.ts'
import { derivePalette, themes } from './colour.ts'

/** Stylesheet inside a page, so that the browser shows the page after one round trip. */
export interface InlineStyle {
  markup: Html
  /** Source in the page's policy: the browser applies no other style inside the page. */
  source: string
}

/** One per address at which browsers see the page. */
const known = new BoundedCache<string, InlineStyle>(10)

/** Style of the payment page. Its pictures are at our addresses, also behind a proxy with a base path. */
export function pageStyle(config: Pick<Config, 'pageUrl'>): InlineStyle {
  return known.get(pageBasePathOf(config), (basePath) => {
    const css = String(assetByName('page.css').bytes).replaceAll('"./', () => `"${basePath}/assets/`)
    const { markup, source } = inlineStyle(css, '')
    return { markup: asStaticHtml(markup), source }
  })
}

/** Bounded, because merchants use few of all colours. */
const knownColours = new BoundedCache<string, InlineStyle>(500)

/** Style of a merchant's colour, for the light and the dark theme. */
export function colourStyle(colour: string): InlineStyle {
  return knownColours.get(colour.toLowerCase(), (lower) => {
    const dark = `@media (prefers-color-scheme:dark){${rule(derivePalette(lower, themes.dark))}}`
    return inlineStyle(`${rule(derivePalette(lower, themes.light))}${dark}`, ` data-colour="${lower}"`)
  })
}

/** The text is ours or computed from a colour, and contains no tag. */
function inlineStyle(css: string, attribute: string): InlineStyle {
  const source = `'sha256-${hash('sha256', css, 'base64')}'`
  return { markup: rawHtml(`<style${attribute}>${css}</style>`), source }
}

function rule({ accent, onAccent, accentSoft, button, onButton }: Palette): string {
  return `:root{--accent:${accent};--on-accent:${onAccent};--accent-soft:${accentSoft};--button:${button};--on-button:${onButton}}`
}
