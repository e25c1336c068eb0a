import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Puts everything into the one format, the import order into ARCHITECTURE.md, and writes the documents made by program. */
const root = join(import.meta.dirname, '..')
const biome = spawnSync(join(root, 'node_modules', '.bin', 'biome'), ['check', '--write', '.'], {
  cwd: root,
  stdio: 'inherit',
})
const tidy = spawnSync(process.execPath, ['scripts/tidy.ts', '--write'], { cwd: root, stdio: 'inherit' })
const documents = spawnSync(process.execPath, ['scripts/documents.ts', '--write'], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(biome.status || tidy.status || documents.status || 0)
