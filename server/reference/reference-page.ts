import type { Html } from '../../kit/text/html.ts'
import { html } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import type { ApiOperation, OpenApiDocument, WebhookMessage } from './document.ts'
import { operationsOf, resourceNameOf, webhookMessagesOf } from './document.ts'
import type { RenderContext } from './field-list.ts'
import { introductionAnchors, introductionSection } from './introduction.ts'
import { operationSection, resourceAnchor, resourceSection } from './operation-section.ts'
import { objectTitle, scriptTexts, tagTitle, textLookup } from './texts.ts'
import { webhookAnchors, webhookSections } from './webhook-section.ts'

interface Subject {
  tag: string
  title: string
  /** Resources described here, because this subject returns them most often, with an example of each. */
  resources: [name: string, example: unknown][]
  /** Messages sent to the addresses that are registered here. */
  messages: WebhookMessage[]
  operations: ApiOperation[]
}

/** The whole page in one language. Addresses are relative, so it also works below a path of a proxy. */
export function referencePage(document: OpenApiDocument, language: Language): string {
  const context: RenderContext = { document, language, text: textLookup(language) }
  const operations = operationsOf(document)
  const subjects = subjectsOf(document, operations, language)
  return html`<!doctype html>
<html lang="${language}">
${head(context)}
<body data-words="${JSON.stringify(wordsIn(language))}" data-base="${document.servers[0]?.url}">
<a class="skip" href="#content">${context.text('skip')}</a>
${top(context)}
${contents(context, subjects)}
<main id="content" tabindex="-1">
${introductionSection(context, operations)}
${subjects.map((subject) => subjectSection(context, subject))}
</main>
<p class="unseen" id="news" role="status"></p>
</body>
</html>
`.text
}

function head({ text, document }: RenderContext): Html {
  const others = languages.map((each) => html`<link rel="alternate" hreflang="${each}" href="?lang=${each}">`)
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${document.info.description}">
<title>${text('title')}</title>
<link rel="icon" href="docs/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs/tokens.css">
<link rel="stylesheet" href="docs/style.css">
${others}
<script type="module" src="docs/script.js"></script>
</head>`
}

function top({ text, language, document }: RenderContext): Html {
  const titles = { tr: 'Türkçe', en: 'English' }
  const choices = languages.map(
    (each) =>
      html`<a href="?lang=${each}" lang="${each}" hreflang="${each}"${each === language ? html` aria-current="true"` : undefined}>${titles[each]}</a>`,
  )
  return html`<header class="top">
<a class="mark" href="#introduction"><img src="docs/mark.svg" alt="" width="22" height="22"> Vezne <span>API ${document.info.version}</span></a>
<nav class="languages" aria-label="${text('languages')}">${choices}</nav>
<button type="button" class="quiet menu scripted" aria-expanded="false" aria-controls="contents">${text('menu')}</button>
</header>`
}

function contents(context: RenderContext, subjects: readonly Subject[]): Html {
  const { text, language } = context
  return html`<nav class="contents" id="contents" aria-label="${text('contents')}">
<form class="search scripted" role="search"><label class="unseen" for="search">${text('search')}</label><input type="search" id="search" placeholder="${text('searchHint')}" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="found"><kbd aria-hidden="true">/</kbd></form>
<p class="found" id="found" role="status"></p>
<div class="results" hidden></div>
<div class="outline">
<p>${text('start')}</p>
<ul>${introductionAnchors.map((id) => html`<li><a href="#${id}">${text(id)}</a></li>`)}</ul>
${subjects.map(subjectLinks)}
</div>
</nav>`

  function subjectLinks({ tag, title, resources, messages, operations }: Subject): Html {
    const objects = resources.map(
      ([name]) => html`<li><a href="#${resourceAnchor(name)}">${objectTitle(name, language)}</a></li>`,
    )
    const sent = webhookAnchors(context, messages).map(
      ({ id, title: part }) => html`<li><a href="#${id}">${part}</a></li>`,
    )
    const calls = operations.map(
      ({ id, method, summary }) =>
        html`<li><a href="#${id}">${summary} <span class="method ${method.toLowerCase()}">${method}</span></a></li>`,
    )
    return html`<p><a href="#${tag}">${title}</a></p><ul>${objects}${sent}${calls}</ul>`
  }
}

function subjectSection(
  context: RenderContext,
  { tag, title, resources, messages, operations }: Subject,
): Html {
  return html`
<section class="subject" id="${tag}">
<h2><a class="anchor" href="#${tag}">${title}</a></h2>
${resources.map(([name, example]) => resourceSection(context, name, example))}
${webhookSections(context, messages)}
${operations.map((operation) => operationSection(context, operation))}
</section>`
}

function subjectsOf(
  document: OpenApiDocument,
  operations: readonly ApiOperation[],
  language: Language,
): Subject[] {
  const homes = homesOf(operations)
  return [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, members]) => {
    const byResource = Map.groupBy(members, resourceNameOf)
    const resources = [...byResource].flatMap(([name, makers]): Subject['resources'] => {
      // A record that was read shows its later state.
      const teller = makers.find(({ method }) => method === 'GET') ?? makers[0]
      return name !== undefined && teller && homes.get(name) === tag ? [[name, resourceIn(teller)]] : []
    })
    const messages = tag === 'webhooks' ? webhookMessagesOf(document) : []
    return { tag, title: tagTitle(tag, language), resources, messages, operations: members }
  })
}

/** The subject that returns each resource most often; among equals, the first. */
function homesOf(operations: readonly ApiOperation[]): Map<string | undefined, string> {
  const homes = new Map<string | undefined, string>()
  for (const [name, makers] of Map.groupBy(operations, resourceNameOf)) {
    const counts = [...Map.groupBy(makers, ({ tag }) => tag)]
    const [home] = counts.toSorted(([, one], [, other]) => other.length - one.length)
    if (home) homes.set(name, home[0])
  }
  return homes
}

/** The example of the resource itself, taken out of its list or envelope. */
function resourceIn({ answer: { schema, example } }: ApiOperation): unknown {
  if (schema.items) return (example as unknown[])[0]
  return schema.$ref === undefined ? (example as { data: unknown }).data : example
}

function wordsIn(language: Language): Record<string, string> {
  return Object.fromEntries(Object.entries(scriptTexts).map(([name, sentence]) => [name, sentence[language]]))
}
