import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Formats all files, updates the import order in ARCHITECTURE.md, and writes the generated documents. */
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
