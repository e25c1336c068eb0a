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
      ['server/payments/a.ts:1', `metrics.counter('vezne_unsettled_deeds', 'Waiting.', [])`],
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

  commentBeginnings: {
    fails: [
      ['server/a.ts:1', '/** What a page needs. */'],
      ['server/a.ts:2', 'const a = 1\n// The same of a refund.'],
      ['page/a.ts:1', 'const a = 1 // Whether it is open.'],
      ['kit/a.ts:1', '/**\n * How long a lease lasts.\n */'],
    ],
    passes: {
      'server/a.ts':
        '/** Data a page needs.\n * What follows is fine. */\n// Length of a lease,\n// as it was.',
      'server/a.js': '/** Whatsapp is a name. */',
    },
  },

  sentenceLength: {
    fails: [
      ['docs/a.md:3', `# A\n\n${'word '.repeat(36)}.`],
      ['README.md:2', `\n- ${'word '.repeat(20)}\n  ${'word '.repeat(20)}.`],
      ['docs/a.md:3', `| a |\n|---|\n| ${'word '.repeat(36)} |`],
    ],
    passes: {
      'docs/a.md': `${'word '.repeat(30)}. ${'Word '.repeat(30)}.\n\n\`\`\`\n${'word '.repeat(60)}\n\`\`\`\n`,
      'docs/b.md': `- ${'word '.repeat(30)}\n- ${'word '.repeat(30)}\n1. ${'word '.repeat(30)}`,
      'docs/decisions/0001-a.md': 'word '.repeat(60),
    },
  },
} satisfies Record<string, Samples>
