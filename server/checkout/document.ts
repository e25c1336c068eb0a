import type { Config } from '../config.ts'
import type { Content } from '../kit/html.ts'
import { html } from '../kit/html.ts'
import type { Language } from '../kit/locale.ts'
import type { PageAnswer } from '../kit/page-route.ts'
import type { AssetName } from './assets.ts'
import { assetAddress } from './assets.ts'
import { plainPolicy } from './policy.ts'
import { failures } from './words.ts'

export interface DocumentParts {
  language: Language
  title: string
  script?: AssetName
  /** Whether it is styled. */
  isPlain?: boolean
  hasMark?: boolean
  /** What the script finds on the body. */
  data?: Readonly<Record<string, string>>
  body: Content
}

/** A page as a whole. Nothing in it is run or styled but our files. */
export function documentOf(config: Config, parts: DocumentParts): string {
  const { language, title, script, body, data = {} } = parts
  const style = (name: AssetName) => html`<link rel="stylesheet" href="${assetAddress(config, name)}">`
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${parts.hasMark ? html`<link rel="icon" href="${assetAddress(config, 'mark.svg')}">` : undefined}
${parts.isPlain ? undefined : [style('tokens.css'), style('page.css')]}
${script ? html`<script type="module" src="${assetAddress(config, script)}"></script>` : undefined}
</head>
<body${attributes}>
${body}
</body>
</html>
`.text
}

/** What a person sees where there is no page, or none can be made. */
export function failurePage(config: Config, status: number, language: Language): string {
  const { title, text } = failures[status >= 500 ? 'broken' : 'notFound']
  const body = html`<main class="card"><h1>${title[language]}</h1><p>${text[language]}</p></main>`
  return documentOf(config, { language, title: title[language], body })
}

export function notFoundPage({ config }: { config: Config }, language: Language): PageAnswer {
  return { kind: 'page', status: 404, html: failurePage(config, 404, language), policy: plainPolicy }
}
