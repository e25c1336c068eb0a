import { foldForSearch } from '../database/full-text-search.ts'

/** Values of words, found by any of their spellings. */
export class Spellings<Value extends string> {
  readonly #values: ReadonlyMap<string, Value>

  constructor(spellings: Readonly<Record<Value, readonly string[]>>) {
    const entries = Object.entries(spellings) as [Value, readonly string[]][]
    this.#values = new Map(
      entries.flatMap(([value, texts]) => texts.map((text) => [lettersOf(text), value] as const)),
    )
  }

  meantBy(text: string): Value | undefined {
    return this.#values.get(lettersOf(text))
  }
}

/** Makes `Kredi Kartı`, `KREDI_KARTI` and `kredi-karti` equal. */
function lettersOf(text: string): string {
  return foldForSearch(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
