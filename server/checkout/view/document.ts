import type { Asset } from '../../../kit/http/bundle.ts'
import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Html, HtmlContent } from '../../../kit/text/html.ts'
import { asStaticHtml, html } from '../../../kit/text/html.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { Config } from '../../config.ts'
import type { AssetName } from '../files/assets.ts'
import { assetByName, loadedFile, markAddress } from '../files/assets.ts'
import { colourStyle, pageStyle } from '../files/styles.ts'
import { htmlPerLanguage } from '../texts/part.ts'
import { errorPageTexts } from '../texts/texts.ts'
import { multiStateStatusIcon } from './icons.ts'

export interface DocumentParts {
  language: Language
  title: string
  script?: AssetName
  /** The payment page contains its styles; others load a smaller file, or have none. */
  styles: 'inside' | 'file' | 'none'
  hasMark?: boolean
  /** Address of the icon, if it is not our mark. */
  icon?: string | undefined
  /** Merchant's colour, if it has one. */
  colour?: string | null
  /** Data attributes of the body, for the script. */
  data?: Readonly<Record<string, HtmlContent>>
  body: HtmlContent
}

/** Complete HTML page. It runs and uses only our own scripts and styles. */
export function htmlDocument(config: Config, parts: DocumentParts): Html {
  const { language, title, body, data = {} } = parts
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  return html`${beginnings[language]}<title>${title}</title>
${filesOf(config, parts)}${stylesInside(config, parts)}</head>
<body${attributes}>
${body}
</body>
</html>
`
}

const beginnings = htmlPerLanguage(
  (language) => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
`,
)

/** Cached: all pages of a merchant load the same files. */
const knownFiles = new BoundedCache<string, Html>(1_000)

function filesOf(config: Config, parts: DocumentParts): Html {
  const { script, styles, hasMark, icon } = parts
  const name = [config.pageUrl, script, styles, hasMark, icon].join(' ')
  return knownFiles.get(name, () => asStaticHtml(filesHtml(config, parts)))
}

function filesHtml(config: Config, { script, styles, hasMark, icon }: DocumentParts): Html {
  const iconAddress = hasMark ? markAddress(config) : icon
  const load = (attribute: 'href' | 'src', asset: Asset) => {
    const { address, integrity } = loadedFile(config, asset)
    return html` ${attribute}="${address}" integrity="${integrity}" crossorigin="anonymous"`
  }
  return html`${iconAddress === undefined ? undefined : html`<link rel="icon" href="${iconAddress}">`}
${styles === 'file' ? html`<link rel="stylesheet"${load('href', assetByName('simple.css'))}>` : undefined}
${script ? html`<script type="module"${load('src', assetByName(script))}></script>` : undefined}
`
}

/** The script is named before the styles, because a slow connection needs time for them. */
function stylesInside(config: Config, { styles, colour }: DocumentParts): Html {
  const page = styles === 'inside' ? pageStyle(config).markup : undefined
  return html`${page}${colour ? colourStyle(colour).markup : undefined}
`
}

/** Page for an unknown address or an error. */
export function httpErrorPageHtml(config: Config, status: number, language: Language): Html {
  const { title, text } = errorPageTexts[status >= 500 ? 'broken' : status === 429 ? 'limited' : 'notFound']
  const body = html`<main class="card alone"><div class="outcome" data-view="none">
<div class="outcome-sign">${multiStateStatusIcon}</div>
<h1>${title[language]}</h1><p>${text[language]}</p></div></main>`
  return htmlDocument(config, { language, title: title[language], styles: 'file', body })
}
