import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
const door = 'vezne'

/**
 * Builds the npm package `@vezne/element` in a folder: one module, the types of its entry point, and npm's
 * files.
 */
export async function makeElementPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: [`element/${door}.ts`],
    outfile: join(folder, `${door}.js`),
    bundle: true,
    format: 'esm',
    charset: 'utf8',
    target: 'es2022',
    tsconfigRaw: {},
    logLevel: 'warning',
  })
  await writeTypes(folder)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(root, 'element', 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
  copyFileSync(join(root, 'element', 'package.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

async function writeTypes(folder: string): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), 'element-types-'))
  try {
    const words = ['-p', 'element', '--noEmit', 'false', '--declaration', '--emitDeclarationOnly']
    await promisify(execFile)(join(root, 'node_modules', '.bin', 'tsc'), [...words, '--outDir', made], {
      cwd: root,
    })
    const waiting = [door]
    const written = new Set<string>()
    for (const name of waiting) {
      if (written.has(name)) continue
      written.add(name)
      const text = readFileSync(join(made, `${name}.d.ts`), 'utf8')
      waiting.push(...[...text.matchAll(/from '\.\/([\w-]+)\.ts'/g)].map(([, next = '']) => next))
      // Type files name modules by `.js`, because the package contains no `.ts` modules.
      writeFileSync(join(folder, `${name}.d.ts`), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
    }
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
