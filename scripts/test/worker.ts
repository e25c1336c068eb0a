import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..')

/**
 * Writes a program that takes test files from the list until none is left. Several of them share the list: loading the
 * service takes longer than most files do, and no processor waits while another has files left.
 */
export function writeWorker(name: string, files: readonly string[], folder: string): string {
  const program = join(folder, `${name}.mjs`)
  const list = JSON.stringify(files)
  const text = `import { runWorker } from ${JSON.stringify(import.meta.filename)}\nawait runWorker(${list}, ${JSON.stringify(folder)})\n`
  writeFileSync(program, text)
  return program
}

/**
 * Runs the files that no other worker has taken, one after the other in this process. Each is a suite named after the
 * file: its hooks end, and all it opened is closed, before the next one is loaded.
 */
export async function runWorker(files: readonly string[], folder: string): Promise<void> {
  for (const file of files) {
    if (!take(file, folder)) continue
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    // Two suites, because a hook that fails in the inner one keeps its other hooks from running.
    describe(file, () => {
      after(() => end())
      describe('tests', async () => {
        await import(pathToFileURL(join(root, file)).href)
      })
    })
    await ended
  }
}

/** Exactly one worker succeeds for each file: the claim is a file that must not exist yet. */
function take(file: string, folder: string): boolean {
  try {
    closeSync(openSync(join(folder, `${encodeURIComponent(file)}.taken`), 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
