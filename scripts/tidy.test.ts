import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentedSamples } from './tidy/documented-samples.ts'
import { withImportOrder } from './tidy/import-order.ts'
import { importSamples } from './tidy/import-samples.ts'
import { merchantQuerySamples } from './tidy/merchant-query-samples.ts'
import { rules, tidy } from './tidy/rules.ts'
import type { Samples, Tree } from './tidy/sql-samples.ts'
import { sqlSamples } from './tidy/sql-samples.ts'
import { wordSamples } from './tidy/word-samples.ts'

const lines = (count: number) => 'a\n'.repeat(count)
const migration = (oldest: number) => `-- oldest program: ${oldest}\nselect 1;\n`
const markers = '<!-- import order -->\n<!-- /import order -->\n'
// Split into parts, because tidy reads this file too.
const work = '/wo' + 'rk/main'
const home = '/ho' + 'me/ayse/vezne'
const mirror = 'https://regi' + 'stry.example.org/'

const samples: Record<keyof typeof rules, Samples> = {
  syntax: {
    fails: [['kit/a.ts:1', 'const = 1']],
    passes: { 'kit/a.ts': 'const a: number = 1', 'scripts/a.mjs': 'await null' },
  },

  ...importSamples,

  printedImportOrder: {
    fails: [
      ['ARCHITECTURE.md:1', {}],
      ['ARCHITECTURE.md:1', '# Architecture\n'],
      ['ARCHITECTURE.md:3', `# Architecture\n\n${markers}`],
    ],
    passes: { 'ARCHITECTURE.md': withImportOrder(`# Architecture\n\n${markers}\nMore.\n`) ?? '' },
  },

  environment: {
    fails: [
      ['server/main.ts:1', 'loadConfig(process.env)'],
      ['server/main.ts:1', `const home = process?.['env'].HOME`],
      ['server/main.ts:1', 'const { env } = process'],
      ['server/main.ts:1', `import { env } from 'node:process'`],
      ['server/main.ts:2', `import p from 'process'\np.env`],
      ['testing/a.ts:1', 'globalThis.process.env'],
    ],
    passes: {
      'server/config.ts': 'process.env',
      'server/main.ts': 'process.exitCode = 1; const f = (process: { env: string }) => process.env',
      'bench/a.ts': 'process.env',
    },
  },

  time: {
    fails: [
      ['kit/a.ts:1', 'Date.now()'],
      ['kit/a.ts:1', 'const a = { now: Date.now }'],
      ['kit/a.ts:1', 'new Date()'],
      ['kit/a.ts:1', 'Date()'],
      ['kit/a.test.ts:1', 'performance.now()'],
      ['kit/a.ts:1', 'process.hrtime.bigint()'],
      ['kit/a.ts:1', 'setTimeout(run, 5)'],
      ['kit/a.ts:1', 'globalThis.setInterval(run, 5)'],
      ['kit/a.ts:1', `import { setTimeout as wait } from 'node:timers/promises'\nwait(5)`],
      ['kit/a.ts:2', `import * as timers from 'node:timers'\ntimers.setImmediate(run)`],
      ['kit/a.ts:1', `const { setTimeout } = await import('node:timers/promises')`],
      ['kit/a.ts:3', '{ const setTimeout = run; setTimeout() }\n\nsetTimeout(run, 5)'],
    ],
    passes: {
      'kit/runtime/clock.ts': 'new Date(); setTimeout(run, 5)',
      'testing/harness/clock.ts': 'Date.now()',
      'server/reference/assets/a.js': 'Date.now(); setTimeout(run, 5)',
      'kit/a.ts': 'new Date(5); Date.parse(text); clearTimeout(a); clock.setTimeout(run)',
      'kit/b.ts':
        'const a = { setTimeout: 5 }; type Wait = typeof setTimeout; interface B { setTimeout(): void }',
      'kit/c.ts': 'function later({ setTimeout }: Timers) { setTimeout(run, 5) }',
      'scripts/a.ts': 'Date.now()',
    },
  },

  randomness: {
    fails: [
      ['kit/a.ts:1', 'Math.random()'],
      ['kit/a.ts:1', 'crypto.randomUUID()'],
      ['kit/a.ts:1', 'crypto.getRandomValues(bytes)'],
      ['kit/a.ts:1', `import { randomBytes as some } from 'node:crypto'\nsome(5)`],
      ['kit/a.ts:1', `import { webcrypto } from 'crypto'\nwebcrypto.getRandomValues(a)`],
      ['kit/a.ts:2', `import crypto from 'node:crypto'\ncrypto.randomInt(5)`],
      ['kit/a.ts:2', `import * as c from 'node:crypto'\nc.randomFillSync(bytes)`],
      ['kit/a.ts:2', `const c = await import('node:crypto')\nc.randomFill(bytes)`],
      ['kit/a.ts:1', `(await import('node:crypto')).randomBytes(5)`],
      ['kit/a.ts:1', `export { randomUUID } from 'node:crypto'`],
    ],
    passes: {
      'server/config.ts': `import type { webcrypto } from 'node:crypto'`,
      'kit/security/random.ts': `import { randomBytes } from 'node:crypto'`,
      'testing/a.ts': 'Math.random()',
      'kit/a.ts': `import { createHash } from 'node:crypto'\nexport type { webcrypto } from 'node:crypto'`,
      'kit/b.ts': 'random.randomBytes(5); Math.round(5)',
      'server/reference/assets/a.js': 'crypto.getRandomValues(bytes)',
    },
  },

  ...sqlSamples,

  merchantQueries: merchantQuerySamples,

  network: {
    fails: [
      ['server/webhooks/a.ts:1', 'await fetch(url)'],
      ['server/webhooks/a.ts:1', `import { request } from 'undici'`],
      ['server/webhooks/a.ts:1', `import { get } from 'node:https'`],
      ['server/webhooks/a.ts:2', `import http from 'node:http'\nhttp.request(url)`],
      ['server/webhooks/a.ts:2', `import { http } from '../../kit/runtime/node-http.ts'\nhttp.request(url)`],
      [
        'kit/outbound/outbound-client.ts:2',
        `import { http } from '../runtime/node-http.ts'\nhttp.request(url)`,
      ],
      ['kit/outbound/http-client.ts:1', `import { createServer } from 'node:http'`],
      ['server/webhooks/a.ts:2', `import * as net from 'net'\nnet.connect(80)`],
    ],
    passes: {
      'kit/outbound/http-client.ts': `import { request } from 'undici'`,
      'kit/outbound/network-outbound-client.ts': `import { http } from '../runtime/node-http.ts'\nhttp.request(url)`,
      'server/webhooks/a.test.ts': 'await fetch(url)',
      'server/webhooks/a.ts': `import { http } from '../../kit/runtime/node-http.ts'\nhttp.createServer(); services.http.request(url); map.get(1)`,
      'server/webhooks/b.ts': 'export const send = (fetch: Fetch) => fetch(url)',
      'page/a.ts': 'fetch(url)',
      'server/reference/assets/a.js': 'fetch(url)',
    },
  },

  postMessageTargets: {
    fails: [
      ['page/a.ts:1', `window.parent.postMessage({ height }, '*')`],
      ['page/rules/a.ts:1', `const target = '*'`],
      ['page/parent.ts:2', `parent.postMessage(here, '*')\nparent.postMessage({ height }, '*')`],
      ['element/frame.ts:1', `frame.contentWindow?.postMessage(greeting, '*')`],
    ],
    passes: {
      'page/parent.ts': `parent.postMessage(here, '*')\nparent.postMessage({ height }, listener)`,
      'element/frame.ts': 'frame.contentWindow?.postMessage(greeting, origin)',
      'element/a.test.ts': `postMessage(forged, '*')`,
    },
  },

  catchAllNames: {
    fails: [
      ['server/refunds/service.ts:1', ''],
      ['kit/utils/a.ts:1', ''],
      ['page/types.d.ts:1', ''],
      ['sdk/services.ts:1', ''],
    ],
    passes: { 'server/services.ts': '', 'kit/event-types.ts': '', 'docs/common-questions.md': '' },
  },

  fileLength: {
    fails: [
      ['kit/a.ts:401', lines(401)],
      ['page/a.css:401', `${lines(400)}a`],
      ['kit/a.js:401', lines(401)],
    ],
    passes: { 'kit/a.ts': lines(400), 'docs/a.md': lines(500), 'openapi.json': lines(500) },
  },

  leftovers: {
    fails: [
      ['kit/a.ts:2', 'a()\n// TODO: later'],
      ['kit/a.ts:2', '/**\n * FIXME */'],
      ['a.sql:1', '-- XXX'],
      ['scripts/a:2', '#!/bin/sh\n# TODO'],
      ['e2e/a.test.ts:2', `import { test } from 'node:test'\ntest.only('a', run)`],
      ['e2e/a.test.ts:2', `import test from 'node:test'\ntest.skip('a', run)`],
      ['e2e/a.test.ts:2', `import { describe as d } from 'node:test'\nd.todo('a')`],
    ],
    passes: {
      'kit/a.ts': `const a = 'TODO' // cards are shown as XXXX`,
      'docs/a.md': 'TODO',
      'e2e/a.test.ts': `import { test } from 'node:test'\ntest('a', { skip: 'no browser' }, run); list.skip(5)`,
    },
  },

  endpoints: {
    fails: [
      [
        'server/refunds/a.ts:2',
        {
          'server/refunds/a.ts': `import { route } from '../../kit/api/route.ts'\nexport const a = route({})`,
          'server/refunds/b.test.ts': '',
        },
      ],
      [
        'server/refunds/a.ts:2',
        {
          'server/refunds/a.ts': 'export const a = route({})\nexport const b = route({})',
          'server/refunds/a.test.ts': '',
        },
      ],
      ['server/merchants/list.ts:2', 'const a = command({})\nconst b = command({})'],
      ['server/customers/read.ts:1', 'export const read = customerResource.routeToRead({})'],
    ],
    passes: {
      'server/refunds/a.ts': 'export const a = route({ url: 1 })',
      'server/customers/read.ts': 'export const read = customerResource.routeToRead({})',
      'server/customers/read.test.ts': '',
      'server/resources/resource.ts': 'const read = () => route({})\nconst search = () => route({})',
      'server/refunds/a.test.ts': 'route({}); route({})',
      'server/refunds/b.ts': 'export const b = command({})',
      'kit/api/route.ts': 'export function route(a: object) {}',
    },
  },

  commands: {
    fails: [
      ['server/merchants/commands.ts:1', `import { table } from '../../kit/command-line/table.ts'`],
      ['server/merchants/commands.ts:1', `import { listCommand } from './list-merchants.ts'`],
      ['server/commands.ts:1', `import { start } from './start.ts'`],
      [
        'server/merchants/list-merchants.ts:2',
        `import { command } from '../../kit/command-line/command.ts'\nexport const listCommand = command({})`,
      ],
    ],
    passes: {
      'server/commands.ts': `import { a } from './merchants/commands.ts'\nimport type { B } from './start.ts'\nimport { c } from './config.ts'`,
      'server/merchants/commands.ts': `import type { A } from '../../kit/command-line/command.ts'\nconst load = async () => (await import('./list-merchants.ts')).listCommand`,
      'server/merchants/list-merchants.ts': `import { command } from '../../kit/command-line/command.ts'\nexport const listCommand = command({})`,
    },
  },

  entryPoints: {
    fails: [
      ['server/refunds/index.ts:1 server/refunds/README.md:1', { 'server/refunds/a.ts': '' }],
      ['server/ledger/README.md:1', { 'server/ledger/index.ts': '', 'server/ledger/README.md': lines(16) }],
    ],
    passes: { 'server/refunds/index.ts': '', 'server/refunds/README.md': lines(15), 'kit/a.ts': '' },
  },

  migrations: {
    fails: [
      ['server/database/migrations/1-a.sql:1', migration(1)],
      ['server/database/migrations/0002-a.sql:1', migration(1)],
      [
        'server/database/migrations/0001-b.sql:1',
        {
          'server/database/migrations/0001-a.sql': migration(1),
          'server/database/migrations/0001-b.sql': migration(1),
        },
      ],
      ['server/database/migrations/0001-a.sql:1', 'select 1;\n'],
      ['server/database/migrations/0001-a.sql:1', migration(2)],
    ],
    passes: {
      'server/database/migrations/0002-add-pos.sql': migration(1),
      'server/database/migrations/0001-first.sql': migration(1),
      'server/database/migrations/README.md': '',
    },
  },

  paths: {
    fails: [
      ['a.md:1', 'See `kit/gone.ts`.'],
      ['kit/README.md:2', '\n`page/style/gone.css` and `kit/README.md`'],
      ['kit/README.md:1', 'See `kit/gone/`.'],
      ['kit/README.md:1', 'See `server/gone`.'],
    ],
    passes: {
      'a.md':
        '`kit/b.ts`, `./vezne help`, `b.ts`, `kit/*.ts`, `docs/`, `kit/`, `docs/decisions`\n```\n`kit/gone.ts`\n```',
      'kit/b.ts': '',
      'docs/decisions/0001-a.md': '`kit/gone.ts`',
      'CHANGELOG.md': '`kit/gone.ts`',
    },
  },

  links: {
    fails: [
      ['docs/a.md:2', '# A\n[b](b.md)'],
      ['docs/a.md:1', { 'docs/a.md': '[b](../b.md#second)', 'b.md': '# First' }],
      ['docs/a.md:1', '[here](#second)\n# First'],
      ['docs/a.md:3', '[b]\n\n[b]: b.md'],
      ['docs/a.md:1', '<img src="b.png">'],
    ],
    passes: {
      'README.md':
        '[a](docs/a.md#the-ledgers-invariants), [`b`](docs/) [c](https://example.org/x.md) [d](#ödeme-durumları)\n# Ödeme durumları',
      'docs/a.md':
        '# The ledger’s invariants\n# Twice\n# Twice\n[a](#twice-1) ![b](b.png) [c](../README.md) [d](/docs/b.png)',
      'docs/b.png': '',
      'docs/b.md': '`[a](gone.md)`\n```md\n[a](gone.md)\n```\n',
    },
  },

  ...documentedSamples,

  ...wordSamples,

  machineTraces: {
    fails: [
      ['docs/a.md:2', `Run\n${work}/vezne`],
      ['scripts/a:1', `cd "${home}/bin"`],
      ['.npmrc:1', `registry=${mirror}`],
      ['docs/a.md:1', `See ${mirror}pg.`],
    ],
    passes: {
      'package-lock.json': mirror,
      'docs/a.md': 'docs/work/a.md, https://example.org/work/, ~/work/, /root/a',
      '.npmrc': 'omit-lockfile-registry-resolved=true',
      'docs/b.md': 'https://www.npmjs.com/package/pg',
    },
  },
}

const filesOf = (tree: Tree) => Object.entries(tree).map(([path, text]) => ({ path, text }))

for (const [name, rule] of Object.entries(rules)) {
  const { fails, passes } = samples[name as keyof typeof rules]
  const linesIn = (tree: Tree) =>
    [...rule(filesOf(tree))].map(({ path, line }) => `${path}:${line}`).join(' ')
  describe(name, () => {
    test('reports each violation at its line', () => {
      assert.ok(fails.length > 0)
      for (const [modules, sample] of fails) {
        const tree = typeof sample === 'string' ? { [modules.replace(/:\d+$/, '')]: sample } : sample
        assert.equal(linesIn(tree), modules, JSON.stringify(tree))
      }
    })
    test('accepts files that follow the rule', () => {
      assert.ok(Object.keys(passes).length > 0)
      assert.equal(linesIn(passes), '')
    })
  })
}

test('a violation is one line with the file, the line, the rule and the action to take', () => {
  const tree = {
    'ARCHITECTURE.md': withImportOrder(markers) ?? '',
    'kit/text/a.ts': '\nDate.now(); Date.now()',
  }
  const sentence = 'take the time, and wait, by the clock you are handed (kit/runtime/clock.ts)'
  assert.deepEqual(tidy(filesOf(tree)), [`kit/text/a.ts:2: time: ${sentence}`])
})

test('the import order is printed between its markers, lowest first, and printing it twice changes nothing', () => {
  const text = withImportOrder(`Before.\n${markers}After.\n`) ?? ''
  assert.match(text, /^Before\.\n<!-- import order -->\n`database` · `config\.ts` · /)
  assert.match(text, /\(`api\.ts` `page\.ts`[^)]*\) ·\s`apps\.ts`/)
  assert.match(text, /`main\.ts`\n<!-- \/import order -->\nAfter\.\n$/)
  assert.equal(withImportOrder(text), text)
})
