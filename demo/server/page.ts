import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Html } from '../../kit/text/html.ts'
import { html, rawHtml } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import { assetAddress } from './assets.ts'
import type { Good } from './goods.ts'
import { goods, maxQuantity } from './goods.ts'
import { howItWorksPart, testCardsPart } from './guide-part.ts'
import { priceText } from './price-text.ts'
import type { DemoShop } from './shop.ts'
import type { ShownOrderCheck } from './shown-order-check.ts'
import { pageTexts, scriptTexts, textsInLanguage } from './texts.ts'

const root = join(import.meta.dirname, '..', '..')

/** The shop: products, basket, payment and result. */
export function shopPage(shop: DemoShop, language: Language): string {
  const textOf = textsIn(language)
  return documentOf(shop, language, {
    query: '',
    content: html`<section id="shopping" class="stack">
<div class="welcome"><h1>${textOf('heading')}</h1><p class="muted">${textOf('about')}</p></div>
<ul class="goods">${goods.map((good) => goodPart(good, language))}</ul>
${basketPart(language)}
</section>
<section id="paying" class="stack" hidden>
<div class="paying-head"><button type="button" id="back" class="quiet">${arrow}${textOf('back')}</button><p>${textOf('order')} <code id="order-id"></code> · <strong id="order-total"></strong></p></div>
<h1 class="unseen">${textOf('payment')}</h1>
<p id="pay-fault" class="fault" role="alert" hidden></p>
<div id="pay"></div>
</section>
<section id="result" class="card result" aria-live="polite" tabindex="-1" hidden></section>
${testCardsPart(shop.options.cards, language)}
${howItWorksPart(shop.options, language)}`,
  })
}

/**
 * Page the payer returns to from the payment page. It contains the result of the check; the script shows the
 * rest.
 */
export function thanksPage(
  shop: DemoShop,
  check: ShownOrderCheck,
  query: string,
  language: Language,
): string {
  return documentOf(shop, language, {
    query,
    content: html`<section id="result" class="card result" data-tone="${check.tone}" data-check="${JSON.stringify(check)}" aria-live="polite" tabindex="-1"><h1>${check.title}</h1><p>${check.text}</p></section>
${howItWorksPart(shop.options, language)}`,
  })
}

/** Error page. */
export function failurePage(shop: DemoShop, status: number, language: Language): string {
  const textOf = textsIn(language)
  return documentOf(shop, language, {
    query: '',
    content: html`<section class="card result" data-tone="bad"><h1>${textOf(status === 404 ? 'notFound' : 'failed')}</h1><a class="button" href="/?lang=${language}">${textOf('toShop')}</a></section>`,
  })
}

function textsIn(language: Language) {
  return (name: keyof typeof pageTexts) => pageTexts[name][language]
}

const arrow = rawHtml('<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10 3 5 8l5 5"/></svg>')
const cup = rawHtml(
  '<svg class="brand" viewBox="0 0 28 28" aria-hidden="true"><path d="M5 11h14v4a6 6 0 0 1-6 6h-2a6 6 0 0 1-6-6z"/><path d="M19 12.5h1.5a2.5 2.5 0 0 1 0 5H19M4 24h16M9.5 8c-1.2-1.3 1.2-2.2 0-4M14.5 8c-1.2-1.3 1.2-2.2 0-4"/></svg>',
)

function documentOf(
  shop: DemoShop,
  language: Language,
  { content, query }: { content: Html; query: string },
): string {
  const { options } = shop
  const textOf = textsIn(language)
  // The element's script loads after the script that reports requests, and before the script that uses the
  // element.
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${textOf('title')}</title>
<link rel="icon" href="${assetAddress('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetAddress('shop.css')}">
<script type="module" src="${assetAddress('requests.js')}"></script>
<script defer src="${options.pageUrl}/element.js"></script>
<script type="module" src="${assetAddress('shop.js')}"></script>
</head>
<body data-api="${options.apiUrl}" data-key="${options.publicKey}" data-words="${JSON.stringify(textsInLanguage(scriptTexts, language))}">
<header class="top"><a class="name" href="/?lang=${language}">${cup}<span>${textOf('shop')}</span></a><p class="test"><strong>TEST</strong><span>${textOf('isDemo')}</span></p><nav id="languages" class="languages" aria-label="${textOf('language')}">${languages.map((each) => languageLink(each, language, query))}</nav></header>
<main>
<div class="shop stack">
<noscript><p class="card notice">${textOf('noScript')}</p></noscript>
${content}
</div>
${livePart(language)}
</main>
</body>
</html>
`.text
}

function languageLink(each: Language, language: Language, query: string): Html {
  const current = each === language ? rawHtml(' aria-current="true"') : undefined
  return html`<a href="?${query}lang=${each}" lang="${each}" hreflang="${each}"${current}>${each.toUpperCase()}</a>`
}

/** Inline drawings, so that they follow the light and the dark theme. */
const drawings = new Map<string, Html>()

function drawing(id: string): Html {
  const known =
    drawings.get(id) ?? rawHtml(readFileSync(join(root, 'demo', 'page', 'goods', `${id}.svg`), 'utf8'))
  drawings.set(id, known)
  return known
}

function goodPart({ id, name, about, priceMinor }: Good, language: Language): Html {
  const textOf = textsIn(language)
  const shownName = name[language]
  return html`<li class="good card" data-good="${id}" data-price="${priceMinor}" data-name="${shownName}"><div class="drawing" data-good="${id}">${drawing(id)}</div><div class="about"><h2>${shownName}</h2><p class="muted">${about[language]}</p><div class="buy"><strong class="price">${priceText(priceMinor, language)}</strong><div class="stepper" role="group" aria-label="${shownName}"><button type="button" class="less" aria-label="${textOf('less')}: ${shownName}" disabled>−</button><output class="count" aria-label="${textOf('basket')}: ${shownName}">0</output><button type="button" class="more" data-most="${maxQuantity}" aria-label="${textOf('more')}: ${shownName}" disabled>+</button></div></div></div></li>`
}

function basketPart(language: Language): Html {
  const textOf = textsIn(language)
  return html`<section id="basket" class="card basket" aria-labelledby="basket-title">
<h2 id="basket-title">${textOf('basket')}</h2>
<p id="basket-empty" class="muted">${textOf('emptyBasket')}</p>
<div id="basket-full" hidden>
<ul id="lines" class="lines"></ul>
<p class="total"><span>${textOf('total')}</span><strong id="total" class="price"></strong></p>
<label class="cheat"><input type="checkbox" id="cheat"><span>${textOf('cheat')} <small>${textOf('cheatAbout')}</small></span></label>
<p id="fault" class="fault" role="alert" hidden></p>
<div class="ways"><button type="button" id="pay-here" class="button">${textOf('payHere')}</button><button type="button" id="pay-there" class="button second">${textOf('payThere')}</button></div>
</div>
</section>`
}

function livePart(language: Language): Html {
  const textOf = textsIn(language)
  return html`<aside id="live" class="live" aria-labelledby="live-title">
<div class="live-head"><button type="button" id="live-toggle" aria-expanded="false" aria-controls="live-body"><span class="dot" aria-hidden="true"></span><span id="live-title">${textOf('live')}</span><span id="live-count" class="count-pill" hidden></span>${rawHtml('<svg class="chevron" viewBox="0 0 16 16" aria-hidden="true"><path d="m4 10 4-4 4 4"/></svg>')}</button><button type="button" id="live-clear" class="quiet" hidden>${textOf('clear')}</button></div>
<div id="live-body" class="live-body"><p id="live-empty" class="muted">${textOf('liveEmpty')}</p><ol id="entries" class="entries"></ol></div>
<p id="live-said" class="unseen" role="status"></p>
</aside>`
}
