import type { Html } from '../../kit/text/html.ts'
import { html, htmlWithBackticksAsCode } from '../../kit/text/html.ts'
import { foldedJson, headersCard, jsonCard } from './cards.ts'
import type { ApiSchema, WebhookMessage } from './document.ts'
import { schemaNameOf } from './document.ts'
import type { RenderContext } from './field-list.ts'
import { fieldList, parameterList } from './field-list.ts'
import { heading } from './operation-section.ts'
import { webhookGroupTitle } from './texts.ts'

/** Messages whose bodies have the same fields. */
interface Group {
  id: string
  title: string
  messages: [WebhookMessage, ...WebhookMessage[]]
}

/** Anchors of the sections about webhook messages. Empty if there are no messages. */
export function webhookAnchors(
  context: RenderContext,
  messages: readonly WebhookMessage[],
): { id: string; title: string }[] {
  if (messages.length === 0) return []
  return [{ id: overviewId, title: context.text('messages') }, ...groupsOf(context, messages)]
}

const overviewId = 'messages'

/** The common part of all messages, then the types, grouped by equal fields. */
export function webhookSections(context: RenderContext, messages: readonly WebhookMessage[]): Html[] {
  const [any] = messages
  return any
    ? [overview(context, any), ...groupsOf(context, messages).map((group) => groupSection(context, group))]
    : []
}

function groupsOf({ language }: RenderContext, messages: readonly WebhookMessage[]): Group[] {
  const dataOf = ({ body }: WebhookMessage) => schemaNameOf(body.properties?.['data'] ?? {}) ?? ''
  return [...Map.groupBy(messages, dataOf)].flatMap(([data, members]): Group[] => {
    const [first, ...others] = members
    const id = `${overviewId}-${data.toLowerCase()}`
    return first ? [{ id, title: webhookGroupTitle(data, language), messages: [first, ...others] }] : []
  })
}

function overview(context: RenderContext, { headers }: WebhookMessage): Html {
  const { text } = context
  return html`
<section class="entry" id="${overviewId}">
<div class="text">
${heading(overviewId, text('messages'))}
<p>${htmlWithBackticksAsCode(text('messagesText'))}</p>
<h4>${text('headers')}</h4>
${parameterList(
  context,
  overviewId,
  headers.map(({ required: _always, ...header }) => header),
)}
<p>${htmlWithBackticksAsCode(text('messagesSignature'))}</p>
<h4>${text('messagesAnswers')}</h4>
<p>${htmlWithBackticksAsCode(text('messagesAnswersText'))}</p>
</div>
<div class="aside">${headersCard(context, text('exampleHeaders'), headers)}</div>
</section>`
}

function groupSection(context: RenderContext, { id, title, messages }: Group): Html {
  const [first] = messages
  return html`
<section class="entry" id="${id}">
<div class="text">
${heading(id, title)}
<h4>${context.text('messageKinds')}</h4>
<dl class="fields">${messages.map((message) => kindRow(context, message, message === first))}</dl>
<h4>${context.text('messageBody')}</h4>
${fieldList(context, id, bodyOfAll(messages), false)}
</div>
<div class="aside">${jsonCard(context, first.name, first.example)}</div>
</section>`
}

/** The first type's body is shown next to the text; the others are folded here. */
function kindRow(context: RenderContext, { name, when, example }: WebhookMessage, isBeside: boolean): Html {
  return html`
<div class="field" id="${overviewId}.${name}" data-name="${name}"><dt><code class="name">${name}</code></dt>
<dd><p>${htmlWithBackticksAsCode(when)}</p>${isBeside ? undefined : foldedJson(context.text('exampleBody'), name, example)}</dd></div>`
}

/** The fields that all of them share; `type` is one of their types. */
function bodyOfAll(messages: Group['messages']): ApiSchema {
  const [{ body }] = messages
  const { type, ...others } = body.properties ?? {}
  return { ...body, properties: { type: { ...type, enum: messages.map(({ name }) => name) }, ...others } }
}
