import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Puts everything into the one format, and the import order into ARCHITECTURE.md. */
const root = join(import.meta.dirname, '..')
const biome = spawnSync(join(root, 'node_modules', '.bin', 'biome'), ['check', '--write', '.'], {
  cwd: root,
  stdio: 'inherit',
})
const tidy = spawnSync(process.execPath, ['scripts/tidy.ts', '--write'], { cwd: root, stdio: 'inherit' })
process.exit(biome.status || tidy.status || 0)
