import type { Html } from '../../kit/text/html.ts'
import { html } from '../../kit/text/html.ts'
import type { Field, Operation as Runnable } from './assets/request.js'
import type { Sample } from './assets/samples.js'
import { coloured, curlOf, nodeOf } from './assets/samples.js'
import type { ApiOperation, ApiParameter } from './document.ts'
import type { RenderContext } from './field-list.ts'

/** The request of an operation as code, with fields to edit it and a button to run it. */
export function requestCard(context: RenderContext, operation: ApiOperation): Html {
  const hasFields = operation.fields.length > 0
  return html`
<div class="card request">
<div class="card-head">${requestTabs(context, operation.id)}${copyButton(context)}</div>
${requestCode(context, operation)}
<div class="card-foot scripted">${
    hasFields
      ? html`<button type="button" class="quiet edit" aria-expanded="false" aria-controls="values-${operation.id}">${context.text('values')}</button>`
      : undefined
  }<button type="button" class="primary run">${context.text('run')}</button></div>
${hasFields ? html`<div class="values scripted" id="values-${operation.id}" hidden>${operation.fields.map((field) => input(context, operation, field))}</div>` : undefined}
<p class="note scripted" hidden></p>
</div>`
}

/** A choice that works without a script; the script applies it to all samples. */
function requestTabs(context: RenderContext, id: string): Html {
  const tab = (value: string, title: string, checked: Html | undefined) =>
    html`<label><input type="radio" name="sample-${id}" value="${value}"${checked}><span>${title}</span></label>`
  return html`<fieldset class="tabs"><legend class="unseen">${context.text('exampleRequest')}</legend>${tab('curl', 'curl', html` checked`)}${tab('node', 'Node.js', undefined)}</fieldset>`
}

function requestCode(context: RenderContext, operation: Runnable): Html {
  const base = context.document.servers[0]?.url ?? ''
  const label = context.text('exampleRequest')
  return html`${code(label, curlOf(operation, base), 'curl')}${code(label, nodeOf(operation, base), 'node')}`
}

/** JSON under a title: a response, or an example of an object. */
export function jsonCard(context: RenderContext, title: string, value: unknown, badge?: Html): Html {
  return html`
<div class="card answer">
<div class="card-head"><p class="card-title">${title}</p>${badge}${copyButton(context)}</div>
${code(title, JSON.stringify(value, null, 2) ?? '', 'json')}
</div>`
}

/** Headers of a webhook message. */
export function headersCard(context: RenderContext, title: string, headers: readonly ApiParameter[]): Html {
  const lines = headers.map(
    ({ name, schema }, index) =>
      html`${index === 0 ? '' : '\n'}<span class="name">${name}</span>: <span class="string">${String(schema.examples?.[0] ?? '')}</span>`,
  )
  return html`
<div class="card">
<div class="card-head"><p class="card-title">${title}</p>${copyButton(context)}</div>
<pre tabindex="0" role="group" aria-label="${title}"><code>${lines}</code></pre>
</div>`
}

/** JSON that the reader can unfold. */
export function foldedJson(title: string, label: string, value: unknown): Html {
  return html`<details class="children"><summary>${title}</summary>
<div class="card">${code(label, JSON.stringify(value, null, 2), 'json')}</div></details>`
}

/** A request to read and copy, without fields and a run button. */
export function plainRequestCard(context: RenderContext, title: string, operation: ApiOperation): Html {
  const base = context.document.servers[0]?.url ?? ''
  return html`
<div class="card">
<div class="card-head"><p class="card-title">${title}</p>${copyButton(context)}</div>
${code(title, curlOf(operation, base), 'curl')}
</div>`
}

export function statusBadge(status: number): Html {
  const tone = status < 400 ? 'good' : 'bad'
  return html`<span class="status ${tone}">${status}</span>`
}

function copyButton(context: RenderContext): Html {
  return html`<button type="button" class="quiet copy scripted">${context.text('copy')}</button>`
}

/** Long lines scroll inside the block. It takes the focus, so that a keyboard can scroll it too. */
function code(label: string, text: string, language: Sample): Html {
  const pieces = coloured(text, language).map(({ kind, text: piece }) =>
    kind === '' ? html`${piece}` : html`<span class="${kind}">${piece}</span>`,
  )
  return html`<pre data-language="${language}" tabindex="0" role="group" aria-label="${label}"><code>${pieces}</code></pre>`
}

const locationTexts = { path: 'inPath', query: 'inQuery', body: 'inBody' } as const

/** If two fields have the same name, each shows its place. */
function input(context: RenderContext, { id, fields }: ApiOperation, field: Field): Html {
  const { name, place, kind, value, shown, isRequired } = field
  const key = `value-${id}-${place}-${name}`
  const isOneOfTwo = fields.some((other) => other !== field && other.name === name)
  const hint = isOneOfTwo
    ? html` <span class="place">${context.text(locationTexts[place])}</span>`
    : undefined
  const more = [
    kind === 'number' ? html` inputmode="numeric"` : undefined,
    isRequired ? html` required` : undefined,
  ]
  return html`<label for="${key}"><code>${name}</code>${hint}</label><input id="${key}" name="${name}" value="${value}" placeholder="${shown}" data-place="${place}" data-kind="${kind}" autocomplete="off" autocapitalize="off" spellcheck="false"${more}>`
}
