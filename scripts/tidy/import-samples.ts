import type { Samples } from './sql-samples.ts'

/** Samples of the rules about imports, for scripts/tidy.test.ts. */
export const importSamples = {
  imports: {
    fails: [
      // Imports go downwards only, in every syntax.
      ['server/connectors/a.ts:1', `import { a } from '../services.ts'`],
      ['server/connectors/a.ts:1', `import type { A } from '../services.ts'`],
      ['server/connectors/a.ts:2', `\nexport * from '../services.ts'`],
      ['server/connectors/a.ts:2', `\nexport { a } from '../services.ts'`],
      ['server/connectors/a.ts:1', `const a = await import('../services.ts')`],
      ['server/connectors/a.ts:1', 'const a = await import(`../services.ts`)'],
      ['server/connectors/a.ts:1', `type A = import('../services.ts').A`],
      ['server/payments/a.ts:1', `import { a } from '../refunds/index.ts'`],
      ['server/api.ts:1', `import { a } from './page.ts'`],
      ['kit/runtime/a.ts:1', `import { a } from '../text/locale.ts'`],
      ['kit/http/a.ts:1', `import { a } from '../api/route.ts'`],
      ['kit/http/a.ts:1', `import { a } from '../../server/config.ts'`],
      ['kit/http/a.ts:1', `import { a } from '../../sandbox/index.ts'`],
      // Other folders import entry points only.
      ['server/refunds/a.ts:1', `import { a } from '../payments/store.ts'`],
      ['server/refunds/a.ts:1', `import { a } from '../payments/for-checkout.ts'`],
      ['server/payments/a.ts:1', `import { a } from '../connectors/sandbox/index.ts'`],
      ['bench/a.ts:1', `import { a } from '../server/payments/store.ts'`],
      // The sandbox and the demo shop play other parties.
      ['sandbox/a.ts:1', `import { a } from '../server/database/index.ts'`],
      ['server/connectors/a.ts:1', `import { a } from '../../sandbox/bank.ts'`],
      ['server/main.ts:1', `import { a } from '../sandbox/bank.ts'`],
      ['demo/server/a.ts:1', `import { a } from '../../server/config.ts'`],
      ['demo/server/a.ts:1', `import { a } from '../../sandbox/index.ts'`],
      ['server/start.ts:1', `import { a } from '../demo/server/index.ts'`],
      // Only tests import testing/ and tests.
      ['server/refunds/a.ts:1', `import { a } from './b.test.ts'`],
      ['server/start.ts:1', `import { a } from '../testing/harness/bank.ts'`],
      ['sandbox/a.ts:1', `import { a } from '../testing/harness/bank.ts'`],
      ['kit/text/a.ts:1', `import { a } from '../../testing/harness/bank.ts'`],
      // Programs that run elsewhere share no code with the service.
      ['page/a.ts:1', `import { a } from '../kit/money/money.ts'`],
      ['console/a.ts:1', `import { a } from '../page/a.ts'`],
      ['demo/page/a.ts:1', `import { a } from '../server/order.ts'`],
      ['demo/server/a.ts:1', `import { a } from '../page/basket.ts'`],
      ['server/page.ts:1', `import { a } from '../page/a.ts'`],
      ['kit/text/a.ts:1', `import { a } from '../../scripts/a.ts'`],
    ],
    passes: {
      'server/refunds/a.ts': `import { a } from '../payments/index.ts'\nimport { b } from '../payments/for-refunds.ts'`,
      'server/refunds/b.ts': `import { b } from './store.ts'`,
      'kit/text/a.ts': `import { a } from './b.ts'\nimport { b } from '../runtime/lazy.ts'\nimport fastify from 'fastify'`,
      'server/payments/a.ts': `import { a } from '../../kit/money/money.ts'\nimport type { Config } from '../config.ts'`,
      'server/payments/a.test.ts': `import { a } from '../../testing/harness/api.ts'\nimport { b } from '../refunds/store.ts'`,
      'testing/till/a.ts': `import { a } from '../../server/payments/store.ts'\nimport { b } from '../../server/main.ts'`,
      'sandbox/a.ts': `import { a } from '../kit/money/money.ts'\nimport { b } from './b.ts'`,
      'demo/server/a.ts': `import { a } from '../../kit/money/money.ts'\nimport { b } from './b.ts'`,
      'server/demo-shop.ts': `import { a } from '../demo/server/index.ts'\nimport { b } from '../sandbox/index.ts'`,
      'server/start.ts': `import { a } from '../sandbox/bank.ts'\nimport { b } from './jobs.ts'`,
      'bench/a.ts': `import { a } from '../testing/harness/api.ts'\nimport { b } from '../server/start.ts'`,
      'page/a.tsx': `import { a } from './b.ts'\nimport openapi from '../openapi.json'`,
    },
  },

  modules: {
    fails: [
      ['server/loyalty/a.ts:1', ''],
      ['server/setup.ts:1', ''],
      ['server/setup.test.ts:1', ''],
      ['kit/a.ts:1', ''],
      ['kit/loyalty/a.ts:1', ''],
      ['reports/a.ts:1', ''],
      ['server/payments/for-nobody.ts:1', ''],
      ['demo/tools/a.mjs:1', ''],
      ['a.ts:1', ''],
    ],
    passes: {
      'kit/text/a.ts': '',
      'server/main.ts': '',
      'server/main.test.ts': '',
      'server/payments/for-refunds.ts': '',
      'sandbox/a.ts': '',
      'demo/page/a.ts': '',
      'e2e/gallery/a.ts': '',
      'reports/a.md': '',
    },
  },

  circles: {
    fails: [
      [
        'kit/text/a.ts:1 kit/text/b.ts:1',
        { 'kit/text/a.ts': `import './b.ts'`, 'kit/text/b.ts': `import type { A } from './a.ts'` },
      ],
      [
        'e2e/a.ts:2 e2e/b.ts:1 e2e/c.ts:1',
        {
          'e2e/a.ts': `\nexport * from './b.ts'`,
          'e2e/b.ts': `const c = await import('./c.ts')`,
          'e2e/c.ts': `type A = import('./a.ts').A`,
        },
      ],
    ],
    passes: {
      'kit/text/a.ts': `import './b.ts'\nimport './c.ts'`,
      'kit/text/b.ts': `import './c.ts'`,
      'kit/text/c.ts': '',
      'kit/text/c.test.ts': `import './a.ts'`,
    },
  },

  folderCircles: {
    fails: [
      [
        'server/refunds/a.ts:1 server/refunds/review/b.ts:1',
        {
          'server/refunds/a.ts': `import './review/b.ts'`,
          'server/refunds/review/b.ts': `import '../c.ts'`,
          'server/refunds/c.ts': '',
        },
      ],
      [
        'server/refunds/x/a.ts:1 server/refunds/y/a.ts:1 server/refunds/z/a.ts:1',
        {
          'server/refunds/x/a.ts': `import '../y/a.ts'`,
          'server/refunds/y/a.ts': `import '../z/a.ts'`,
          'server/refunds/z/a.ts': `import '../x/b.ts'`,
          'server/refunds/x/b.ts': '',
        },
      ],
      // The step of a circle with the fewest imports is reported.
      [
        'server/refunds/y/a.ts:1',
        {
          'server/refunds/x/a.ts': `import '../y/a.ts'\nimport '../y/b.ts'`,
          'server/refunds/y/a.ts': `import '../x/b.ts'`,
          'server/refunds/y/b.ts': '',
          'server/refunds/x/b.ts': '',
        },
      ],
    ],
    passes: {
      'server/refunds/a.ts': `import './review/b.ts'\nimport '../config.ts'`,
      'server/refunds/review/b.ts': `import './c.ts'`,
      'server/refunds/review/c.ts': '',
      'server/config.ts': '',
      'server/commands.ts': `import './refunds/a.ts'`,
    },
  },
} satisfies Record<string, Samples>
