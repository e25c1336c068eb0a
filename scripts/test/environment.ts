import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Cache that later runs reuse. */
export const cacheFolder = join(root, 'node_modules', '.cache')

/** Environment of a process that runs tests on these servers, with its temporary files in this folder. */
export function testEnvironment(serverUrls: readonly string[], folder: string): Record<string, string> {
  return {
    TEST_SERVER_URLS: serverUrls.join(' '),
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
    // No module is behind a symbolic link, and resolving links takes a tenth of every start.
    NODE_PRESERVE_SYMLINKS: '1',
  }
}
