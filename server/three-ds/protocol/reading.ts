import type { Fault } from './fault.ts'
import { fault } from './fault.ts'

/**
 * The JSON of a message that came from server to server. Guarantee: of an element that is there twice neither is chosen.
 * What `JSON.parse` makes of one is the last, and another reader of the same message may have taken the first.
 */
export function parseMessage(text: string): { value: unknown } | { error: Fault } {
  if (isTooDeep(text)) return { error: fault('101') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { error: fault('101') }
  }
  const doubled = doubledKeys(text)
  return doubled.length > 0 ? { error: fault('204', ...doubled) } : { value }
}

/** No message is deeper than a few levels; what is, would take the reader itself apart. */
const deepest = 50

/** Whether it opens more brackets within each other than a message has. A bracket in a string may count too. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x7b || code === 0x5b) depth += 1
    if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > deepest) return true
  }
  return false
}

/** Strings, and the brackets around objects; in JSON that was read already nothing else matters. */
const parts = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/g

/** Keys that one object has more than once, some of them where there are many. The text must be JSON. */
function doubledKeys(text: string): string[] {
  const doubled: string[] = []
  const open: Set<string>[] = []
  for (const { 0: part, index } of text.matchAll(parts)) {
    if (doubled.length === mostDoubled) break
    if (part === '{') open.push(new Set())
    else if (part === '}') open.pop()
    else if (isKey(text, index + part.length)) {
      const key: string = JSON.parse(part)
      const keys = open.at(-1)
      if (keys?.has(key)) doubled.push(key)
      keys?.add(key)
    }
  }
  return doubled
}

const mostDoubled = 10

/** Whether a string that ends here is the name of something: then a colon follows. */
function isKey(text: string, end: number): boolean {
  let next = end
  while (/\s/.test(text.charAt(next))) next++
  return text.charAt(next) === ':'
}
