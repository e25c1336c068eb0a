import type { Html } from '../../kit/text/html.ts'
import { html, htmlWithBackticksAsCode } from '../../kit/text/html.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import type { ApiParameter, ApiSchema, OpenApiDocument } from './document.ts'
import { resolveSchema, schemaNameOf } from './document.ts'
import type { TextLookup } from './texts.ts'
import { limitTexts } from './texts.ts'

/** Context for rendering the parts of the page. */
export interface RenderContext {
  document: OpenApiDocument
  language: Language
  text: TextLookup
}

interface Line {
  name: string
  schema: ApiSchema
  description: string | undefined
  required: boolean
}

/** Parameters as a list; each has an anchor within its operation. */
export function parameterList(
  context: RenderContext,
  owner: string,
  parameters: readonly ApiParameter[],
): Html {
  return list(
    context,
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

/** The fields of an object. Fields of a response are not marked as required. */
export function fieldList(context: RenderContext, owner: string, schema: ApiSchema, isInput: boolean): Html {
  return list(context, owner, linesOf(schema, isInput), isInput ? [] : seen(schema, []))
}

function linesOf(schema: ApiSchema, isInput: boolean): Line[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    description: field.description,
    required: isInput && (schema.required ?? []).includes(name),
  }))
}

function list(
  context: RenderContext,
  owner: string,
  lines: readonly Line[],
  within: readonly string[],
): Html {
  return html`<dl class="fields">${lines.map((line) => row(context, `${owner}.${line.name}`, line, within))}</dl>`
}

function row(
  context: RenderContext,
  id: string,
  { name, schema, description, required }: Line,
  within: readonly string[],
): Html {
  const about = description ?? resolveSchema(context.document, schema).description
  const must = required ? html` <span class="required">${context.text('required')}</span>` : undefined
  const bounds = limitsOf(schema).map(
    (limit) => html` <span class="limit">${htmlWithBackticksAsCode(limit[context.language])}</span>`,
  )
  return html`
<div class="field" id="${id}" data-name="${name}"><dt><code class="name">${name}</code> <span class="type">${schemaTypeText(schema)}</span>${must}${bounds}</dt>
<dd>${about === undefined ? undefined : html`<p>${htmlWithBackticksAsCode(about)}</p>`}${children(context, id, schema, within)}</dd></div>`
}

/** The fields of a nested object or of a list's items, with references resolved. */
function children(
  context: RenderContext,
  id: string,
  schema: ApiSchema,
  within: readonly string[],
): Html | undefined {
  const inner = schema.items ?? schema
  const name = schemaNameOf(inner)
  const target = resolveSchema(context.document, inner)
  if (!target.properties || (name !== undefined && within.includes(name))) return undefined
  const lines = linesOf(target, false)
  return html`<details class="children"><summary>${context.text('children')} <span class="count">${lines.length}</span></summary>${list(
    context,
    id,
    lines,
    seen(inner, within),
  )}</details>`
}

function seen(schema: ApiSchema, within: readonly string[]): readonly string[] {
  const name = schemaNameOf(schema)
  return name === undefined ? within : [...within, name]
}

/** JSON type names, the same in every language. */
export function schemaTypeText(schema: ApiSchema): string {
  const name = schemaNameOf(schema)
  if (name !== undefined) return name
  if (schema.items) return `${schemaTypeText(schema.items)}[]`
  if (schema.anyOf) return [...new Set(schema.anyOf.map(schemaTypeText))].join(' | ')
  const type = [schema.type ?? 'any'].flat().join(' | ')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}

function limitsOf(schema: ApiSchema): LocalizedText[] {
  const { maxLength, minimum, maximum, maxItems, maxProperties, enum: choices } = schema
  const found: LocalizedText[] = []
  if (choices) found.push(limitTexts.oneOf(choices.map((choice) => `\`${choice}\``).join(', ')))
  if (maxLength !== undefined) found.push(limitTexts.atMostCharacters(maxLength))
  if (minimum !== undefined && maximum !== undefined) found.push(rangeText(minimum, maximum))
  const most = maxItems ?? maxProperties
  if (most) found.push(limitTexts.atMostItems(most))
  return found
}

/** A range of all numbers with a fixed number of digits is shown as that number. */
function rangeText(minimum: number, maximum: number): LocalizedText {
  const digits = String(maximum).length
  const isAllOfThem = digits > 3 && minimum === 10 ** (digits - 1) && maximum === 10 ** digits - 1
  return isAllOfThem ? limitTexts.digits(digits) : limitTexts.between(minimum, maximum)
}
