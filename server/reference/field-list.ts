import type { Html } from '../kit/html.ts'
import { html, prose } from '../kit/html.ts'
import type { Language, Sentence } from '../kit/locale.ts'
import type { ApiParameter, ApiSchema, Document } from './document.ts'
import { nameOfSchema, resolved } from './document.ts'
import type { Say } from './words.ts'
import { limits } from './words.ts'

/** What the parts of the page are written with. */
export interface Pen {
  document: Document
  language: Language
  text: Say
}

interface Line {
  name: string
  schema: ApiSchema
  description: string | undefined
  required: boolean
}

/** Parameters as a list; each has an anchor inside its operation. */
export function parameterList(pen: Pen, owner: string, parameters: readonly ApiParameter[]): Html {
  return list(
    pen,
    owner,
    parameters.map(({ name, schema, description, required = false }) => ({
      name,
      schema,
      description,
      required,
    })),
    [],
  )
}

/** The fields of an object; what an answer always has is not called required. */
export function fieldList(pen: Pen, owner: string, schema: ApiSchema, isAsked: boolean): Html {
  return list(pen, owner, linesOf(schema, isAsked), isAsked ? [] : seen(schema, []))
}

function linesOf(schema: ApiSchema, isAsked: boolean): Line[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    description: field.description,
    required: isAsked && (schema.required ?? []).includes(name),
  }))
}

function list(pen: Pen, owner: string, lines: readonly Line[], within: readonly string[]): Html {
  return html`<dl class="fields">${lines.map((line) => row(pen, `${owner}.${line.name}`, line, within))}</dl>`
}

function row(
  pen: Pen,
  id: string,
  { name, schema, description, required }: Line,
  within: readonly string[],
): Html {
  const about = description ?? resolved(pen.document, schema).description
  const must = required ? html` <span class="required">${pen.text('required')}</span>` : undefined
  const bounds = limitsOf(schema).map(
    (limit) => html` <span class="limit">${prose(limit[pen.language])}</span>`,
  )
  return html`
<div class="field" id="${id}" data-name="${name}"><dt><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${must}${bounds}</dt>
<dd>${about === undefined ? undefined : html`<p>${prose(about)}</p>`}${children(pen, id, schema, within)}</dd></div>`
}

/** The fields of an inner object, or of the items of a list, wherever they are written. */
function children(pen: Pen, id: string, schema: ApiSchema, within: readonly string[]): Html | undefined {
  const inner = schema.items ?? schema
  const name = nameOfSchema(inner)
  const target = resolved(pen.document, inner)
  if (!target.properties || (name !== undefined && within.includes(name))) return undefined
  const lines = linesOf(target, false)
  return html`<details class="children"><summary>${pen.text('children')} <span class="count">${lines.length}</span></summary>${list(
    pen,
    id,
    lines,
    seen(inner, within),
  )}</details>`
}

function seen(schema: ApiSchema, within: readonly string[]): readonly string[] {
  const name = nameOfSchema(schema)
  return name === undefined ? within : [...within, name]
}

/** As JSON names its types, in every language. */
export function typeOf(schema: ApiSchema): string {
  const name = nameOfSchema(schema)
  if (name !== undefined) return name
  if (schema.items) return `${typeOf(schema.items)}[]`
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}

function limitsOf(schema: ApiSchema): Sentence[] {
  const { maxLength, minimum, maximum, maxItems, maxProperties, enum: choices } = schema
  const found: Sentence[] = []
  if (choices) found.push(limits.oneOf(choices.map((choice) => `\`${choice}\``).join(', ')))
  if (maxLength !== undefined) found.push(limits.atMostCharacters(maxLength))
  if (minimum !== undefined && maximum !== undefined) found.push(range(minimum, maximum))
  const most = maxItems ?? maxProperties
  if (most) found.push(limits.atMostItems(most))
  return found
}

/** From the first to the last number of so many digits is better said in digits. */
function range(minimum: number, maximum: number): Sentence {
  const digits = String(maximum).length
  const isAllOfThem = digits > 3 && minimum === 10 ** (digits - 1) && maximum === 10 ** digits - 1
  return isAllOfThem ? limits.digits(digits) : limits.between(minimum, maximum)
}
