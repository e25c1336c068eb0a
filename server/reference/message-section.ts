import type { Html } from '../kit/html.ts'
import { html, prose } from '../kit/html.ts'
import type { ApiSchema, WebhookMessage } from './document.ts'
import { nameOfSchema } from './document.ts'
import type { Pen } from './field-list.ts'
import { fieldList, parameterList } from './field-list.ts'
import { heading } from './operation-section.ts'
import { foldedJson, headersCard, jsonCard } from './sample.ts'
import { messageGroupTitle } from './words.ts'

/** The messages whose bodies have the same fields. */
interface Group {
  id: string
  title: string
  messages: [WebhookMessage, ...WebhookMessage[]]
}

/** The places where it is told what is sent to webhooks, by their anchors. None where nothing is sent. */
export function messageParts(pen: Pen, messages: readonly WebhookMessage[]): { id: string; title: string }[] {
  if (messages.length === 0) return []
  return [{ id: overviewId, title: pen.text('messages') }, ...groupsOf(pen, messages)]
}

const overviewId = 'messages'

/** What every message has, and then the kinds, those with the same fields together. */
export function messageSections(pen: Pen, messages: readonly WebhookMessage[]): Html[] {
  const [any] = messages
  return any ? [overview(pen, any), ...groupsOf(pen, messages).map((group) => groupSection(pen, group))] : []
}

function groupsOf({ language }: Pen, messages: readonly WebhookMessage[]): Group[] {
  const dataOf = ({ body }: WebhookMessage) => nameOfSchema(body.properties?.['data'] ?? {}) ?? ''
  return [...Map.groupBy(messages, dataOf)].flatMap(([data, members]): Group[] => {
    const [first, ...others] = members
    const id = `${overviewId}-${data.toLowerCase()}`
    return first ? [{ id, title: messageGroupTitle(data, language), messages: [first, ...others] }] : []
  })
}

function overview(pen: Pen, { headers }: WebhookMessage): Html {
  const { text } = pen
  return html`
<section class="entry" id="${overviewId}">
<div class="text">
${heading(overviewId, text('messages'))}
<p>${prose(text('messagesText'))}</p>
<h4>${text('headers')}</h4>
${parameterList(
  pen,
  overviewId,
  headers.map(({ required: _always, ...header }) => header),
)}
<p>${prose(text('messagesSignature'))}</p>
<h4>${text('messagesAnswers')}</h4>
<p>${prose(text('messagesAnswersText'))}</p>
</div>
<div class="aside">${headersCard(pen, text('exampleHeaders'), headers)}</div>
</section>`
}

function groupSection(pen: Pen, { id, title, messages }: Group): Html {
  const [first] = messages
  return html`
<section class="entry" id="${id}">
<div class="text">
${heading(id, title)}
<h4>${pen.text('messageKinds')}</h4>
<dl class="fields">${messages.map((message) => kindRow(pen, message, message === first))}</dl>
<h4>${pen.text('messageBody')}</h4>
${fieldList(pen, id, bodyOfAll(messages), false)}
</div>
<div class="aside">${jsonCard(pen, first.name, first.example)}</div>
</section>`
}

/** The body of the first kind stands beside the text; those of the others are opened here. */
function kindRow(pen: Pen, { name, when, example }: WebhookMessage, isBeside: boolean): Html {
  return html`
<div class="field" id="${overviewId}.${name}" data-name="${name}"><dt><code class="name">${name}</code></dt>
<dd><p>${prose(when)}</p>${isBeside ? undefined : foldedJson(pen.text('exampleBody'), name, example)}</dd></div>`
}

/** The fields of any of them: `type` is one of their kinds. */
function bodyOfAll(messages: Group['messages']): ApiSchema {
  const [{ body }] = messages
  const { type, ...others } = body.properties ?? {}
  return { ...body, properties: { type: { ...type, enum: messages.map(({ name }) => name) }, ...others } }
}
