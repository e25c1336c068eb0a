import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..')

/**
 * Writes a worker: a program that takes test files from a shared list until none is left. One process runs
 * many files, because loading the service takes longer than most files. No processor is idle while files are
 * left.
 */
export function writeWorker(name: string, files: readonly string[], folder: string): string {
  const program = join(folder, `${name}.mjs`)
  const list = JSON.stringify(files)
  const text = `import { runWorker } from ${JSON.stringify(import.meta.filename)}\nawait runWorker(${list}, ${JSON.stringify(folder)})\n`
  writeFileSync(program, text)
  return program
}

/**
 * Runs the files that no other worker has taken, one after the other in this process. Each file is a suite
 * named after it. Its hooks have run, and everything it opened is closed, before the next file is loaded.
 */
export async function runWorker(files: readonly string[], folder: string): Promise<void> {
  for (const file of files) {
    if (!take(file, folder)) continue
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    // Two suites, because a failing hook of the inner suite prevents its other hooks from running.
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
