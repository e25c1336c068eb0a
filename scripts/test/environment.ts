import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Cache that later runs reuse. */
export const cacheFolder = join(root, 'node_modules', '.cache')

/** Environment of a process that runs tests on this PostgreSQL, with its temporary files in this folder. */
export function testEnvironment(databaseUrl: string, folder: string): Record<string, string> {
  return {
    TEST_DATABASE_URL: databaseUrl,
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
    // No module is behind a symbolic link, and resolving links takes a tenth of every start.
    NODE_PRESERVE_SYMLINKS: '1',
  }
}
