import { lazyPackage } from '../runtime/lazy.ts'
import type { Language } from '../text/locale.ts'
import type { SuccessResponseDefinition } from './route.ts'

const fastJsonStringify = lazyPackage<typeof import('fast-json-stringify')>('fast-json-stringify')

/**
 * A serialiser is compiled at a route's first response: compiling all at the start would take a tenth of a
 * second.
 */
const serialisers = new WeakMap<SuccessResponseDefinition, (answer: unknown) => string>()

/** Turns a result into the text of a success response. */
export type Serialiser = (result: unknown, language: Language) => string

export function serialiserOf(definition: SuccessResponseDefinition): Serialiser {
  const { message, schema } = definition
  let serialise: ((answer: unknown) => string) | undefined
  return (result, language) => {
    serialise ??= serialisers.getOrInsertComputed(definition, () => fastJsonStringify()(schema))
    if (!message) return serialise(result)
    return serialise({ status: true, message: message[language], errors: [], error_code: null, data: result })
  }
}
