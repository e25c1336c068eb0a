import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Mutation that a process applies, read from its environment. */
export interface ActiveMutation {
  /** URL of the file as Node loads it. */
  url: string
  find: string
  replace: string
  /** File that is created when a process has loaded the mutated text. */
  mark: string
}

/**
 * Replaces the text of one file while Node loads it. Every process of a test loads this module first
 * (`NODE_OPTIONS`), including processes that the test starts.
 */
const { url, find, replace, mark }: ActiveMutation = JSON.parse(process.env['TEST_MUTATION'] ?? '')

registerHooks({
  load(address, context, nextLoad) {
    const loaded = nextLoad(address, context)
    if (address !== url) return loaded
    const parts = String(loaded.source).split(find)
    if (parts.length !== 2)
      throw new Error(`${url} must have once, and has ${parts.length - 1} times: ${find}`)
    writeFileSync(mark, '')
    return { ...loaded, source: parts.join(replace) }
  },
})
