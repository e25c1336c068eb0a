import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { optionName } from '../kit/command-line/command.ts'
import { allRefusals, apiRoutes } from '../server/api.ts'
import { commands } from '../server/commands.ts'
import { readConfig, WrongSettings } from '../server/config.ts'
import { eventKinds } from '../server/events/index.ts'
import type { KnownCommand, KnownSetting, Page } from './documented-facts.ts'
import {
  unknownSettings,
  wrongCommands,
  wrongEndpoints,
  wrongErrors,
  wrongEvents,
  wrongSettings,
} from './documented-facts.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') })

/** Every document of today. Decisions and the changelog speak of their own time. */
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/'))
  .map(read)

const aPage = (text: string): Page[] => [{ path: 'docs/a.md', text }]

describe('commands', async () => {
  const known: KnownCommand[] = await Promise.all(
    commands.map(async ({ name, load }) => {
      const { input } = await load()
      return { name, options: [...Object.keys(input.properties).map(optionName), 'help'] }
    }),
  )

  it('that a document types exist, with their options', () => {
    assert.deepEqual(wrongCommands(pages, known), [])
  })

  it('that do not exist are found', () => {
    assert.deepEqual(wrongCommands(aPage('Run `./vezne refund accept 1`.'), known), [
      'docs/a.md: vezne refund accept',
    ])
    assert.deepEqual(wrongCommands(aPage('```\n$ vezne payment list --colour\n```\n'), known), [
      'docs/a.md: vezne payment list --colour',
    ])
    assert.deepEqual(
      wrongCommands(aPage('`vezne help offer`, `vezne refund list --limit 5`, vezne is'), known),
      [],
    )
  })
})

describe('error codes', () => {
  it('that a document names are answered by the API', () => {
    assert.deepEqual(wrongErrors(pages, allRefusals()), [])
  })

  it('that do not exist are found', () => {
    assert.deepEqual(wrongErrors(aPage('It answers 409/930, or 418/930.'), allRefusals()), [
      'docs/a.md: 418/930',
    ])
  })
})

describe('events', () => {
  const kinds = [...eventKinds, 'webhook.test']

  it('that a document names exist', () => {
    assert.deepEqual(wrongEvents(pages, kinds), [])
  })

  it('are all on the pages about events and webhooks', () => {
    for (const path of ['docs/integrate/webhooks.md', 'docs/integrate/test-cards.md'])
      assert.deepEqual(
        eventKinds.filter((kind) => !read(path).text.includes(`\`${kind}\``)),
        [],
        path,
      )
  })

  it('that do not exist are found', () => {
    assert.deepEqual(wrongEvents(aPage('`payment.succeeded` and `payment.refunded`'), kinds), [
      'docs/a.md: payment.refunded',
    ])
  })
})

describe('endpoints', () => {
  const ofTests = [
    { method: 'POST', url: '/v1/notes' },
    { method: 'DELETE', url: '/v1/notes/:note_id' },
  ]

  it('that a document names exist', () => {
    assert.deepEqual(wrongEndpoints(pages, [...apiRoutes, ...ofTests]), [])
  })

  it('are all explained to integrators', () => {
    const texts = pages.filter(({ path }) => path.startsWith('docs/integrate/')).map(({ text }) => text)
    const missing = apiRoutes.filter(({ url }) => {
      const address = new RegExp(`${url.replaceAll(/:\w+/g, '[^/\\s]+')}(?![\\w/-])`)
      return !texts.some((text) => address.test(text))
    })
    assert.deepEqual(
      missing.map(({ url }) => url),
      [],
    )
  })

  it('that do not exist are found', () => {
    assert.deepEqual(wrongEndpoints(aPage('`GET /v1/customers/:id` and `GET /v1/customer`'), apiRoutes), [
      'docs/a.md: GET /v1/customer',
    ])
  })
})

describe('settings', () => {
  const settings = knownSettings()
  const page = read('docs/operate/settings.md')

  it('are all on their page, with their default and their range, and no other is', () => {
    assert.ok(settings.length > 30)
    assert.deepEqual(wrongSettings(page, settings), [])
  })

  it('that a document names exist', () => {
    const others = [
      'TEST_SEED',
      'TEST_MUTATION',
      'TEST_DATABASE_URL',
      'TEST_SERVER_URLS',
      'TEST_PAYMENTS',
      'PG_BIN',
      'SECRET_KEY',
      'POSTGRES_PASSWORD',
      'COMPOSE_PROFILES',
      'NODE_COMPILE_CACHE',
      'NODE_OPTIONS',
      'HTTP_PROXY',
      'MASTER_CARD',
      'BANK_PATIENCE_SECONDS',
      'DIRECTORY_PATIENCE_SECONDS',
    ]
    assert.deepEqual(unknownSettings(pages, [...settings.map(({ name }) => name), ...others]), [])
  })

  it('that are wrong on their page are found', () => {
    const planted = page.text
      .replace('| `DATABASE_POOL_SIZE` | 10 |', '| `DATABASE_POOL_SIZE` | 11 |')
      .replace('0 to 3600 seconds', '0 to 360 seconds')
      .replace('| `TRACE_DAYS` |', '| `TRACE_HOURS` |')
    assert.deepEqual(wrongSettings({ ...page, text: planted }, settings), [
      'docs/operate/settings.md: no setting TRACE_HOURS',
      'docs/operate/settings.md: DATABASE_POOL_SIZE default',
      'docs/operate/settings.md: DATABASE_WAIT_SECONDS range',
      'docs/operate/settings.md: TRACE_DAYS is missing',
    ])
    assert.deepEqual(unknownSettings(aPage('Set `TRACE_HOURS=1`.'), ['TRACE_DAYS']), [
      'docs/a.md: TRACE_HOURS',
    ])
  })
})

/** Settings as the program reads them: every name it looks up, its default, and the range it complains with. */
function knownSettings(): KnownSetting[] {
  const names = new Set<string>()
  const env = new Proxy<Record<string, string>>({}, { get: (_, name) => void names.add(String(name)) })
  const defaults = new Map(Object.entries(readConfig(env)))
  return [...names].flatMap((name) => {
    const problem = problemWith(name)
    if (/ is now called /.test(problem)) return []
    const [, min, max] = /from (\d+) to (\d+)/.exec(problem) ?? []
    const isPort = name.endsWith('_PORT')
    const value = defaults.get(
      name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    )
    const isChoice = / must be one of /.test(problem) && name !== 'LOG_FORMAT'
    const text =
      typeof value === 'number' || isChoice ? String(value) : Array.isArray(value) ? value.join(',') : ''
    const limits: KnownSetting['limits'] =
      min === undefined || isPort ? undefined : [Number(min), Number(max)]
    return [{ name, defaultValue: text === '' ? undefined : text, limits }]
  })
}

function problemWith(name: string): string {
  try {
    readConfig({ [name]: 'x' })
    return ''
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error
    return error.problems.find((problem) => problem.startsWith(`${name} `)) ?? ''
  }
}
