import type { LocalizedText } from '../text/locale.ts'

/** Faults of a parameter, worded so that the sender knows what to change. */

export const required: LocalizedText = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }

export const cannotBeBlank: LocalizedText = {
  tr: 'Bu alan boş bırakılamaz.',
  en: 'This field cannot be empty.',
}

export function unknownFilter(known: readonly string[]): LocalizedText {
  const named = known.join(', ')
  return {
    tr: `Böyle bir filtre yok. Geçerli filtreler: ${named}.`,
    en: `There is no such filter. Valid filters: ${named}.`,
  }
}

export const notText: LocalizedText = { tr: 'Metin olmalıdır.', en: 'Must be text.' }

export const givenMoreThanOnce: LocalizedText = {
  tr: 'Tek bir değer olmalıdır; birden fazla değer gönderilmiş.',
  en: 'Must be a single value; more than one was sent.',
}

export const givenAsList: LocalizedText = {
  tr: 'Tek bir değer olmalıdır; liste gönderilmiş.',
  en: 'Must be a single value; a list was sent.',
}

export const strayBrackets: LocalizedText = {
  tr: 'Parametre adındaki köşeli parantezler hatalı. Örnek: metadata[0][key].',
  en: 'The brackets in the name of the parameter are not valid. Example: metadata[0][key].',
}

export const invalidCharacters: LocalizedText = {
  tr: 'İzin verilmeyen karakterler içeriyor.',
  en: 'Contains characters that are not allowed.',
}

export function tooLong(max: number): LocalizedText {
  return { tr: `En fazla ${max} karakter olabilir.`, en: `Must be at most ${max} characters long.` }
}

export function tooManyWords(max: number): LocalizedText {
  return { tr: `En fazla ${max} sözcük içerebilir.`, en: `Must contain at most ${max} words.` }
}

export const notInteger: LocalizedText = {
  tr: 'Yalnızca rakamlardan oluşan bir tam sayı olmalıdır.',
  en: 'Must be a whole number, written with digits only.',
}

export function outOfRange(min: number, max: number): LocalizedText {
  return { tr: `${min} ile ${max} arasında olmalıdır.`, en: `Must be between ${min} and ${max}.` }
}

export const notBoolean: LocalizedText = {
  tr: 'true, false, 1 veya 0 olmalıdır.',
  en: 'Must be true, false, 1 or 0.',
}

export function notOneOf(values: readonly string[]): LocalizedText {
  const named = values.join(', ')
  return { tr: `Şunlardan biri olmalıdır: ${named}.`, en: `Must be one of: ${named}.` }
}

export const notList: LocalizedText = { tr: 'Liste olmalıdır.', en: 'Must be a list.' }

export function tooManyItems(max: number): LocalizedText {
  return { tr: `En fazla ${max} öğe içerebilir.`, en: `Must contain at most ${max} items.` }
}

export const notObject: LocalizedText = {
  tr: 'Anahtar-değer çiftlerinden oluşan bir nesne olmalıdır.',
  en: 'Must be an object of key-value pairs.',
}

/** Faults of key-value pairs. The sender chose the names. */

export const blankPairKey: LocalizedText = {
  tr: 'Anahtarlar boş olamaz.',
  en: 'Keys cannot be empty.',
}

export const notScalar: LocalizedText = {
  tr: 'Metin, sayı veya true/false olmalıdır.',
  en: 'Must be text, a number, true or false.',
}

export function withKeysPrefix({ tr, en }: LocalizedText): LocalizedText {
  return { tr: `Anahtarlar: ${tr}`, en: `Keys: ${en}` }
}

export function withPairKeyPrefix(key: string, { tr, en }: LocalizedText): LocalizedText {
  return { tr: `${key}: ${tr}`, en: `${key}: ${en}` }
}

export function duplicateEntry(key: string): LocalizedText {
  return { tr: `${key}: Birden fazla kez gönderilmiş.`, en: `${key}: Sent more than once.` }
}

/** Reasons why a request cannot be read at all. */

export const unsupportedContentType: LocalizedText = {
  tr: 'Content-Type, application/x-www-form-urlencoded veya application/json olmalıdır.',
  en: 'Content-Type must be application/x-www-form-urlencoded or application/json.',
}

export const jsonSentAsForm: LocalizedText = {
  tr: 'Gövde JSON’a benziyor, ancak Content-Type form olarak verilmiş. JSON için Content-Type: application/json gönderin.',
  en: 'The body looks like JSON, but its Content-Type is a form type. For JSON, send Content-Type: application/json.',
}

export const brokenJson: LocalizedText = {
  tr: 'Gövde geçerli bir JSON değil.',
  en: 'The body is not valid JSON.',
}

export const notJsonObject: LocalizedText = {
  tr: 'JSON gövdesi bir nesne olmalıdır: {…}.',
  en: 'The JSON body must be an object: {…}.',
}

export const notUtf8: LocalizedText = { tr: 'Metinler UTF-8 olmalıdır.', en: 'Text must be UTF-8.' }

export const brokenPercentEncoding: LocalizedText = {
  tr: 'Yüzde kodlaması (%) hatalı veya UTF-8 değil.',
  en: 'The percent-encoding (%) is broken or not UTF-8.',
}

export const tooComplex: LocalizedText = {
  tr: 'İstek çok derin iç içe geçmiş veya çok fazla öğe içeriyor.',
  en: 'The request is nested too deeply or has too many parts.',
}

export function tooManyParameters(max: number): LocalizedText {
  return { tr: `En fazla ${max} parametre gönderilebilir.`, en: `At most ${max} parameters are allowed.` }
}

export function tooManyBracketedParameters(max: number): LocalizedText {
  return {
    tr: `Köşeli parantezli en fazla ${max} parametre gönderilebilir.`,
    en: `At most ${max} parameters with brackets are allowed.`,
  }
}
