import type { Html, HtmlContent } from '../../kit/text/html.ts'
import { html, htmlWithBackticksAsCode } from '../../kit/text/html.ts'
import { jsonCard, requestCard, statusBadge } from './cards.ts'
import type { ApiOperation, ApiParameter, ApiSchema } from './document.ts'
import { resolveSchema, resourceNameOf, schemaNameOf } from './document.ts'
import type { RenderContext } from './field-list.ts'
import { fieldList, parameterList } from './field-list.ts'
import { objectTitle, resourceTitle } from './texts.ts'

/** One endpoint: description and parameters on the left, request and response on the right. */
export function operationSection(context: RenderContext, operation: ApiOperation): Html {
  const { id, method, path, summary, description, credential, answer, isKeyed, isImage } = operation
  return html`
<section class="entry operation" id="${id}" data-method="${method}" data-path="${path}" data-credential="${credential}"${isKeyed ? html` data-keyed` : undefined}${isImage ? html` data-image` : undefined}>
<div class="text">
${heading(id, summary)}
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span><code>${pathOf(path)}</code></p>
<p>${htmlWithBackticksAsCode(description)}</p>
<p class="credential">${keyIcon}${context.text(credentialWords[credential])}</p>
${parameters(context, operation)}
${answerPart(context, operation)}
${refusals(context, operation)}
</div>
<div class="aside">${requestCard(context, operation)}${jsonCard(context, context.text('exampleAnswer'), answer.example, statusBadge(200))}</div>
</section>`
}

/** A resource that operations return, described once. */
export function resourceSection(context: RenderContext, name: string, example: unknown): Html {
  const schema = context.document.components.schemas[name] ?? {}
  const id = resourceAnchor(name)
  return html`
<section class="entry" id="${id}">
<div class="text">
${heading(id, objectTitle(name, context.language))}
<p class="endpoint"><code>${name}</code></p>
${schema.description === undefined ? undefined : html`<p>${htmlWithBackticksAsCode(schema.description)}</p>`}
<h4>${context.text('resourceFields')}</h4>
${fieldList(context, id, schema, false)}
</div>
<div class="aside">${jsonCard(context, resourceTitle(name, context.language), example)}</div>
</section>`
}

export function resourceAnchor(name: string): string {
  return `object-${name.toLowerCase()}`
}

export function heading(id: string, title: string): Html {
  return html`<h3><a class="anchor" href="#${id}">${title}</a></h3>`
}

const credentialWords = { key: 'credentialKey', secret: 'credentialSecret', any: 'credentialAny' } as const

const keyIcon = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><circle cx="5" cy="11" r="3"/><path d="m7.2 8.8 6-6M11 5l2 2"/></svg>`

/** Long paths may break before a slash; parameters are highlighted. */
function pathOf(path: string): HtmlContent {
  return path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{')
        ? html`<span class="variable">${part}</span>`
        : part.split(/(?=\/)/).map((step) => html`<wbr>${step}`),
    )
}

function parameters(
  context: RenderContext,
  { id, parameters: all, body, bodyText }: ApiOperation,
): HtmlContent {
  const at = (place: ApiParameter['in']) => all.filter((parameter) => parameter.in === place)
  // A body field of the same name has the plain anchor, so this one is `list-labels.query.shelf_number`.
  const isTwice = (parameters: ApiParameter[]) =>
    parameters.some(({ name }) => body?.properties?.[name] !== undefined)
  const part = (title: string, place: ApiParameter['in']) => {
    const parameters = at(place)
    const owner = isTwice(parameters) ? `${id}.${place}` : id
    return parameters.length > 0
      ? html`<h4>${title}</h4>${parameterList(context, owner, parameters)}`
      : undefined
  }
  const headers = at('header')
  return [
    part(context.text('pathParameters'), 'path'),
    part(context.text('queryParameters'), 'query'),
    body ? html`<h4>${context.text('bodyParameters')}</h4>${fieldList(context, id, body, true)}` : undefined,
    bodyText === undefined ? undefined : html`<h4>${context.text('bodies')}</h4><p>${bodyText}</p>`,
    headers.length > 0
      ? fold(
          context.text('headers'),
          headers.map(({ name }) => html`<code>${name}</code>`),
          parameterList(context, id, headers),
        )
      : undefined,
  ]
}

/** A resource has its own section; the rest of the response is described here. */
function answerPart(context: RenderContext, operation: ApiOperation): Html {
  const { id, answer } = operation
  const name = resourceNameOf(operation)
  const headers = Object.entries(answer.headers).map(
    ([header, { description, schema }]): ApiParameter => ({
      name: header,
      in: 'header',
      description,
      schema,
    }),
  )
  const resource =
    name === undefined
      ? undefined
      : html`<a href="#${resourceAnchor(name)}">${resourceTitle(name, context.language)}</a>`
  const sentence = resource
    ? html`<p>${context.text(answer.schema.items ? 'answersList' : 'answersOne')} ${resource}</p>`
    : undefined
  return html`<h4>${context.text('answer')}</h4>${sentence}${answerFields(context, `${id}.answer`, answer.schema, name)}${
    headers.length > 0
      ? html`<h4>${context.text('answerHeaders')}</h4>${parameterList(context, `${id}.answer`, headers)}`
      : undefined
  }`
}

function answerFields(
  context: RenderContext,
  owner: string,
  schema: ApiSchema,
  name: string | undefined,
): Html | undefined {
  const isDocumentedElsewhere =
    name !== undefined && (schemaNameOf(schema) === name || schema.items !== undefined)
  const target = resolveSchema(context.document, schema.items ?? schema)
  return isDocumentedElsewhere || !target.properties ? undefined : foldedFields(context, owner, target)
}

/** The fields of a response, folded, with their names visible. */
export function foldedFields(context: RenderContext, owner: string, schema: ApiSchema): Html {
  const names = Object.keys(schema.properties ?? {}).map((name) => html`<code>${name}</code>`)
  return fold(context.text('answerFields'), names, fieldList(context, owner, schema, false))
}

function refusals(context: RenderContext, { id, refusals: all }: ApiOperation): Html {
  const codes = [...new Set(all.map(({ code }) => code))].map((code) => html`<code>${code}</code>`)
  return fold(context.text('errors'), codes, refusalTable(context, id, all))
}

/** Refusals, one row each; on a narrow screen the cells of a row are stacked. */
export function refusalTable(
  context: RenderContext,
  owner: string,
  all: ApiOperation['refusals'],
  { withMessages }: { withMessages: boolean } = { withMessages: false },
): Html {
  const rows = all.map(({ status, code, message, when }) => {
    const title = withMessages ? html`<p class="message">${htmlWithBackticksAsCode(message)}</p> ` : undefined
    return html`<tr id="${owner}.${status}-${code}" data-code="${code}"><td>${statusBadge(status)}</td><td><code>${code}</code></td><td>${title}${htmlWithBackticksAsCode(when)}</td></tr>`
  })
  return html`<table class="refusals"><thead><tr><th scope="col">${context.text('status')}</th><th scope="col">${context.text('code')}</th><th scope="col">${context.text('when')}</th></tr></thead><tbody>${rows}</tbody></table>`
}

/** Folds content that most readers know, with a summary visible. */
function fold(title: string, gist: HtmlContent, inside: Html): Html {
  return html`<details class="fold"><summary><span class="fold-title">${title}</span> <span class="gist">${gist}</span></summary>${inside}</details>`
}
