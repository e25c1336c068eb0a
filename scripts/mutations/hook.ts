import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** The mutation that a process is told of by its environment. */
export interface ActiveMutation {
  /** The address of the file as Node loads it. */
  url: string
  find: string
  replace: string
  /** A file that is made as soon as a process has loaded the mutated text. */
  mark: string
}

/**
 * Swaps the text of one file while it is loaded. Every process of a test loads this module first (`NODE_OPTIONS`), also
 * those that the test starts.
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
