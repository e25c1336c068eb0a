import { join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..')

/**
 * Runs test files in this process, one after the other. Each is a suite that is called as the file: what it opens is
 * closed, and what it watches over its tests for is over, before the next one is loaded.
 */
export async function runTogether(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    describe(file, async () => {
      try {
        await import(pathToFileURL(join(root, file)).href)
        after(() => end())
      } catch (error) {
        end()
        throw error
      }
    })
    await ended
  }
}
