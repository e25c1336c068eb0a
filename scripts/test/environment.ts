import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Folder of files that later runs use again. */
export const cacheFolder = join(root, 'node_modules', '.cache')

/** Environment of a process that runs tests on this PostgreSQL, with its own files in this folder. */
export function testEnvironment(databaseUrl: string, folder: string): Record<string, string> {
  return {
    TEST_DATABASE_URL: databaseUrl,
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
    // No module lies behind a link, and to look for one takes a tenth of every start.
    NODE_PRESERVE_SYMLINKS: '1',
  }
}
