import type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'
import { maxAmountMinor, minAmountMinor } from '../money/money.ts'
import type { LocalizedText } from '../text/locale.ts'
import { Type } from './schema.ts'

/**
 * Marks on a schema that are not part of JSON Schema. The keys are symbols, so documents do not show them and
 * serialisers ignore them.
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

/** A sentence for the documents: English only if just operators read it, otherwise in all our languages. */
export type Description = string | LocalizedText

/** Returns the fault, or the converted value. `raw` is the text as sent, before trimming. */
export type FieldCheck<Value> = (value: string, raw: string) => LocalizedText | { value: Value } | undefined

/** Returns the converted value, or the fault. Unlike a check, it cannot accept the text unchanged. */
export type FieldParser<Value> = (value: string, raw: string) => LocalizedText | { value: Value }

/** Faults of a record's fields, judged by all fields that could be read. */
export type ObjectRule = (value: Readonly<Record<string, unknown>>) => Iterable<[string, LocalizedText]>

export function schemaDescriptionOptions(about: Description): {
  description: string
  [localizedDescriptionKey]?: LocalizedText
} {
  return typeof about === 'string'
    ? { description: about }
    : { description: about.en, [localizedDescriptionKey]: about }
}

/** Text of at most `max` Unicode characters. `handle` receives it trimmed, in NFC and never blank. */
export function textField(
  about: Description,
  options: { max: number; check?: FieldCheck<string>; example?: string },
) {
  const { max, check: judge, example } = options
  const limits = { minLength: 1, maxLength: max }
  return Type.String({ ...schemaDescriptionOptions(about), ...limits, ...checked(judge), ...shown(example) })
}

/** Text that `parse` converts to another value or refuses with a reason. */
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

/** Text, a number or a boolean, converted to text. Unlike other text it may be empty, but it must be sent. */
export function scalarField(about: Description, options: { max: number }) {
  return Type.Unsafe<string>({
    type: ['string', 'number', 'boolean'],
    ...schemaDescriptionOptions(about),
    maxLength: options.max,
    [scalarMarkerKey]: true,
  })
}

/** A file path, kept exactly as typed: a file name may begin with a space and have any Unicode form. */
export function filePathField(about: Description) {
  return parsedTextField<string>(about, { max: 4096, parse: (_path, typed) => ({ value: typed }) })
}

export function integerField(about: Description, options: { min: number; max: number; example?: number }) {
  const { min, max, example } = options
  return Type.Integer({ ...schemaDescriptionOptions(about), minimum: min, maximum: max, ...shown(example) })
}

/** Money in the minor unit. The refusal of `12.50` explains the format. */
export function moneyField(about: Description, options: { example?: number; min?: number } = {}) {
  const amount = integerField(about, { min: minAmountMinor, max: maxAmountMinor, ...options })
  return Type.Integer({ ...amount, [notDigitsMessageKey]: inMinorUnits })
}

const inMinorUnits: LocalizedText = {
  tr: 'En küçük para birimi cinsinden (kuruş, sent), yalnızca rakamlardan oluşan bir tam sayı olmalıdır: 12,50 için 1250.',
  en: 'Must be a whole number in the minor unit, written with digits only: 1250 for 12.50.',
}

/** A number with a fixed count of digits. Every other value gets the same complaint. */
export function fixedLengthIntegerField(about: Description, options: { count: number; example?: number }) {
  const { count, ...shownExample } = options
  const limits = { min: 10 ** (count - 1), max: 10 ** count - 1 }
  const exactlyDigits: LocalizedText = {
    tr: `Tam olarak ${count} haneli olmalı, yalnızca rakamlardan oluşmalı ve 0 ile başlamamalıdır.`,
    en: `Must be exactly ${count} digits and must not begin with 0.`,
  }
  const field = integerField(about, { ...limits, ...shownExample })
  return Type.Integer({ ...field, [wrongValueMessageKey]: exactlyDigits })
}

/** A Vezne id. A value without fourteen digits cannot be an id. */
export function idField(about: Description) {
  const field = integerField(about, { min: 10_000_000_000_000, max: 99_999_999_999_999 })
  return Type.Integer({ ...field, [wrongValueMessageKey]: notId })
}

const notId: LocalizedText = {
  tr: '14 haneli bir kayıt numarası olmalıdır.',
  en: 'Must be an ID of 14 digits.',
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

/**
 * A list sent as indexed keys, as JSON, or as JSON in one text. `otherwise` is the complaint about a value
 * that is not a list.
 */
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
  return Type.Object(properties, { ...(about && schemaDescriptionOptions(about)), ...ruled(options) })
}

/** Query filters. An unknown name is refused: ignoring a typo would return all records. */
export function queryFiltersSchema<Properties extends TProperties>(
  properties: Properties,
  options: { rule?: ObjectRule } = {},
): TObject<Properties> {
  return Type.Object(properties, { [refusesUnknownNamesKey]: true, ...ruled(options) })
}

function ruled({ rule }: { rule?: ObjectRule }): object {
  return rule ? { [objectRuleKey]: rule } : {}
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
  /** JSON in one text, as forms send it. */
  example?: string
}

/**
 * Names and values that the caller chooses, as a JSON object or as one in a text. Every fault is reported
 * under the field's name.
 */
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

type OptionalIn<Properties extends TProperties> = {
  [Name in keyof Properties]: Properties[Name] extends TOptional<infer _> ? Name : never
}[keyof Properties]

interface TextLimits {
  type?: string | string[]
  minLength?: number
  maxLength?: number
}

/** Description and example of a field in an update, if they differ from those in creation. */
type UpdateTexts<Properties extends TProperties> = {
  readonly [Name in keyof Properties]?: { about?: Description; example?: string | number }
}

/**
 * The fields for an update: none is required, and a field that is not sent keeps its value. A clearable field
 * sent blank arrives as null; any other blank field is refused. Updates have their own examples.
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
    const { examples: _, minLength = 1, ...rest } = field as TextLimits & { examples?: unknown }
    const { about, example } = inChange[name] ?? {}
    const texts = { ...(about && schemaDescriptionOptions(about)), ...shown(example) }
    if ((clearable as readonly PropertyKey[]).includes(name)) {
      const type = [rest.type ?? [], 'null'].flat()
      return [name, Type.Optional(Type.Unsafe({ ...rest, type, [blankValueActionKey]: 'clear', ...texts }))]
    }
    const length = rest.maxLength === undefined ? {} : { minLength }
    return [name, optionalNotBlank(Type.Unsafe({ ...rest, ...length, ...texts }))]
  })
  return Type.Object(Object.fromEntries(changed)) as never
}

/** An optional field that is refused if sent blank, for filters where an absent value means all records. */
export function optionalNotBlank<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Type.Optional(Type.Unsafe({ ...schema, [blankValueActionKey]: 'refuse' })) as never
}

/** An optional field. Sent blank it counts as not sent, so the documents show no minimum length. */
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
