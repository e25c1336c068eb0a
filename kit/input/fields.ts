import type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'
import { maxAmountMinor, minAmountMinor } from '../money/money.ts'
import type { LocalizedText } from '../text/locale.ts'
import { Type } from './schema.ts'

/**
 * What a schema carries beside JSON Schema. The keys are symbols, so that no document shows them and no serialiser
 * minds them.
 */
export const fieldCheckKey = Symbol('check')
export const blankValueActionKey = Symbol('when blank')
export const objectRuleKey = Symbol('rule')
export const refusesUnknownNamesKey = Symbol('closed')
export const keyValueLimitsKey = Symbol('pairs of')
export const scalarMarkerKey = Symbol('is plain')
export const notDigitsMessageKey = Symbol('in digits')
export const wrongValueMessageKey = Symbol('when wrong')
export const localizedDescriptionKey = Symbol('in both languages')
export const localizedExampleKey = Symbol('example in both languages')
export const schemaNameKey = Symbol('name of')
export const referencedSchemaNameKey = Symbol('same as')

/** A sentence for the documents: in English alone where only operators read it, else in every language that we speak. */
export type Description = string | LocalizedText

/** What is wrong with the value, or what it becomes. `raw` is the text as it was sent, before it was trimmed. */
export type FieldCheck<Value> = (value: string, raw: string) => LocalizedText | { value: Value } | undefined

/** What the text becomes, or what is wrong with it. Unlike a check it cannot let the text pass as it is. */
export type FieldParser<Value> = (value: string, raw: string) => LocalizedText | { value: Value }

/** What is wrong with which fields of a record, judged by all that could be read of it. */
export type ObjectRule = (value: Readonly<Record<string, unknown>>) => Iterable<[string, LocalizedText]>

/** The description of a schema, for answers and parameters alike. */
export function schemaDescriptionOptions(about: Description): {
  description: string
  [localizedDescriptionKey]?: LocalizedText
} {
  return typeof about === 'string'
    ? { description: about }
    : { description: about.en, [localizedDescriptionKey]: about }
}

/** Text of at most `max` characters, as people count them. It arrives trimmed, in Unicode's composed form, never blank. */
export function textField(
  about: Description,
  options: { max: number; check?: FieldCheck<string>; example?: string },
) {
  const { max, check: judge, example } = options
  return Type.String({
    ...schemaDescriptionOptions(about),
    minLength: 1,
    maxLength: max,
    ...checked(judge),
    ...shown(example),
  })
}

/** Text that stands for something else, which `parse` makes of it or says why it cannot. */
export function parsedTextField<Value>(
  about: Description,
  options: { min?: number; max: number; parse: FieldParser<Value>; example?: string; format?: string },
) {
  const { min = 1, max, parse, example, format } = options
  return Type.Unsafe<Value>({
    type: 'string',
    ...schemaDescriptionOptions(about),
    ...(format === undefined ? {} : { format }),
    minLength: min,
    maxLength: max,
    ...checked(parse),
    ...shown(example),
  })
}

/** Text, a number or a boolean, which arrives as text. Unlike other texts it may be empty, but not left out. */
export function scalarField(about: Description, options: { max: number }) {
  return Type.Unsafe<string>({
    type: ['string', 'number', 'boolean'],
    ...schemaDescriptionOptions(about),
    maxLength: options.max,
    [scalarMarkerKey]: true,
  })
}

/** The path of a file, as it was typed to the letter: its name may begin with a space, and be written in any form. */
export function filePathField(about: Description) {
  return parsedTextField<string>(about, { max: 4096, parse: (_path, typed) => ({ value: typed }) })
}

export function integerField(about: Description, options: { min: number; max: number; example?: number }) {
  const { min, max, example } = options
  return Type.Integer({ ...schemaDescriptionOptions(about), minimum: min, maximum: max, ...shown(example) })
}

/** Money in the minor unit. Whoever sends `12.50` is told how to say it. */
export function moneyField(about: Description, options: { example?: number; min?: number } = {}) {
  const amount = integerField(about, { min: minAmountMinor, max: maxAmountMinor, ...options })
  return Type.Integer({ ...amount, [notDigitsMessageKey]: inMinorUnits })
}

const inMinorUnits: LocalizedText = {
  tr: 'En küçük para birimi cinsinden (kuruş, sent), yalnızca rakamlardan oluşan bir tam sayı olmalıdır: 12,50 için 1250.',
  en: 'Must be a whole number of minor units, in digits alone: 1250 for 12.50.',
}

/** A number that is known by how many digits it has. Of every value that is none, the same is said. */
export function fixedLengthIntegerField(about: Description, options: { count: number; example?: number }) {
  const { count, example } = options
  const field = integerField(about, {
    min: 10 ** (count - 1),
    max: 10 ** count - 1,
    ...(example && { example }),
  })
  return Type.Integer({ ...field, [wrongValueMessageKey]: exactlyDigits(count) })
}

function exactlyDigits(count: number): LocalizedText {
  return {
    tr: `Tam olarak ${count} haneli olmalı, yalnızca rakamlardan oluşmalı ve 0 ile başlamamalıdır.`,
    en: `Must be exactly ${count} digits, the first of them not 0.`,
  }
}

/** An id of ours. What has not fourteen digits is the id of nothing. */
export function idField(about: Description) {
  const field = integerField(about, { min: 10_000_000_000_000, max: 99_999_999_999_999 })
  return Type.Integer({ ...field, [wrongValueMessageKey]: notId })
}

const notId: LocalizedText = {
  tr: '14 haneli bir kayıt numarası olmalıdır.',
  en: 'Must be an id of 14 digits.',
}

export function booleanField(about: Description, options: { example?: boolean } = {}) {
  return Type.Boolean({ ...schemaDescriptionOptions(about), ...shown(options.example) })
}

export function choiceField<const Values extends readonly string[]>(about: Description, values: Values) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    ...schemaDescriptionOptions(about),
    enum: [...values],
  })
}

/** A list as indexed keys, as JSON, or as JSON in one text. What is none may be told how this one is written. */
export function listField<Item extends TSchema>(
  about: Description,
  item: Item,
  options: { max: number; otherwise?: LocalizedText },
) {
  const { max, otherwise } = options
  return Type.Array(item, {
    ...schemaDescriptionOptions(about),
    maxItems: max,
    ...(otherwise && { [wrongValueMessageKey]: otherwise }),
  })
}

export function objectSchema<Properties extends TProperties>(
  properties: Properties,
  about?: Description,
  options: { rule?: ObjectRule } = {},
): TObject<Properties> {
  return Type.Object(properties, {
    ...(about === undefined ? {} : schemaDescriptionOptions(about)),
    ...(options.rule ? { [objectRuleKey]: options.rule } : {}),
  })
}

/** Filters: a name that is none of them is refused, for a typo must not answer everything. */
export function queryFiltersSchema<Properties extends TProperties>(
  properties: Properties,
  options: { rule?: ObjectRule } = {},
): TObject<Properties> {
  return Type.Object(properties, {
    [refusesUnknownNamesKey]: true,
    ...(options.rule ? { [objectRuleKey]: options.rule } : {}),
  })
}

export interface KeyValuePair {
  key: string
  value: string
}

export interface KeyValueLimits {
  max: number
  maxKey: number
  maxValue: number
}

interface KeyValueOptions extends KeyValueLimits {
  /** As forms have to send it: JSON in one text. */
  example?: string
}

/** Names and values that the caller makes up, as an object of JSON or as one in a text. All faults are the field's own. */
export function keyValuePairsField(about: Description, { example, ...limits }: KeyValueOptions) {
  return Type.Unsafe<KeyValuePair[]>({
    type: ['object', 'string'],
    ...schemaDescriptionOptions(about),
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    maxProperties: limits.max,
    [keyValueLimitsKey]: limits,
    ...shown(example),
  })
}

type UpdateSchema<Properties extends TProperties, Clearable extends keyof Properties> = TObject<{
  [Name in keyof Properties]: TOptional<
    TUnsafe<Name extends Clearable ? Static<Properties[Name]> | null : Static<Properties[Name]>>
  >
}>

/** The names of the fields that need not be sent. */
type OptionalIn<Properties extends TProperties> = {
  [Name in keyof Properties]: Properties[Name] extends TOptional<infer _> ? Name : never
}[keyof Properties]

/** What a field says of itself in a change, where that differs. */
type UpdateTexts<Properties extends TProperties> = {
  readonly [Name in keyof Properties]?: { about?: Description; example?: string | number }
}

/**
 * The same fields for a change: none is a must, and what is not sent stays as it is. Sent blank, the clearable ones
 * arrive as null; of any other that is refused, for it cannot be nothing. Examples are the change's own.
 */
export function schemaForUpdate<
  Properties extends TProperties,
  const Clearable extends OptionalIn<Properties>,
>(
  properties: Properties,
  clearable: readonly Clearable[],
  inChange: UpdateTexts<Properties>,
): UpdateSchema<Properties, Clearable> {
  const changed = Object.entries(properties).map(([name, field]) => {
    const {
      examples: _,
      minLength = 1,
      ...rest
    } = field as { type?: string | string[]; examples?: unknown; minLength?: number; maxLength?: number }
    const { about, example } = inChange[name] ?? {}
    const mayBeNull = (clearable as readonly PropertyKey[]).includes(name)
    const blank = mayBeNull
      ? { type: [rest.type ?? [], 'null'].flat() }
      : rest.maxLength === undefined
        ? {}
        : { minLength }
    const whenSentBlank = { [blankValueActionKey]: mayBeNull ? 'clear' : 'refuse' }
    const words = about === undefined ? {} : schemaDescriptionOptions(about)
    return [
      name,
      Type.Optional(Type.Unsafe({ ...rest, ...blank, ...whenSentBlank, ...words, ...shown(example) })),
    ]
  })
  return Type.Object(Object.fromEntries(changed)) as never
}

/** What need not be sent, and is refused if it is sent blank: where saying nothing means all of something. */
export function optionalNotBlank<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional(Type.Unsafe({ ...schema, [blankValueActionKey]: 'refuse' })) as never
}

/** What need not be sent. Sent blank it counts as not sent, so documents name no shortest length of it. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  const { minLength: _, ...rest } = schema as { minLength?: number }
  return Type.Optional(Type.Unsafe(rest)) as never
}

function checked(judge: FieldCheck<unknown> | undefined): object {
  return judge ? { [fieldCheckKey]: judge } : {}
}

function shown(example: string | number | boolean | undefined): object {
  return example === undefined ? {} : { examples: [example] }
}
