import type { Samples } from './sql-samples.ts'

/** Samples of the rules about names. */
export const wordSamples = {
  retiredWords: {
    fails: [
      ['server/payments/a.ts:1', 'export function settleDeed() {}'],
      ['page/a.ts:1', 'export interface DeedRow {}'],
      ['bench/a.ts:2', '\nexport const deedsOf = 1'],
      ['server/payments/a.ts:1', `log.warn({ deed_id: 1 }, 'failed')`],
      ['server/payments/a.ts:1', `this.#services.log.info({ deed }, 'settled')`],
      ['server/payments/a.ts:1', `metrics.labelledCounter('vezne_unsettled_deeds', 'Waiting.', [])`],
      ['server/config.ts:1', `settings.integer('DEED_SECONDS', 1)`],
      ['server/payments/commands.ts:1', `const commands = [{ name: 'deed list' }]`],
    ],
    passes: {
      'server/payments/a.ts': `export const indeed = 'a deed'; const deed = 1; log.warn({ attempt: deed }, 'no deed')`,
      'server/payments/a.test.ts': `page.match('vezne_unsettled_deeds')`,
      'server/config.ts': `const renamed = { DEED_SECONDS: 'MODIFICATION_SECONDS' }`,
      'server/commands.ts': `const renamed = { 'deed list': 'modification list' }`,
    },
  },

  typeNames: {
    fails: [
      [
        'server/refunds/a.ts:2',
        {
          'server/payments/a.ts': 'export interface Reason {}',
          'server/refunds/a.ts': '\nexport type Reason = 1',
        },
      ],
      [
        'testing/a.ts:1',
        { 'kit/a.ts': 'export class Reason {}', 'testing/a.ts': 'export interface Reason {}' },
      ],
    ],
    passes: {
      'server/payments/a.ts': 'export interface Reason {}\ninterface Other {}',
      'server/payments/index.ts': `export type { Reason } from './a.ts'`,
      'server/refunds/a.ts': 'interface Reason {}\nexport interface Other {}\nexport const Reason = 1',
      'page/a.ts': 'export interface Reason {}',
    },
  },
} satisfies Record<string, Samples>
