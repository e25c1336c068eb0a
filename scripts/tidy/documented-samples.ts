import type { Samples } from './sql-samples.ts'

const page = 'docs/operate/monitoring.md'
const messages = (...rows: string[]) =>
  ['| `msg` | level | fields | meaning |', '|---|---|---|---|', ...rows].join('\n')
const metrics = (...rows: string[]) =>
  ['| name | kind | labels | meaning |', '|---|---|---|---|', ...rows].join('\n')
const sent = '| `sending failed` | warn | `attempt`, `err` | It is sent again. |'
const counter = '| `vezne_payments_total` | counter | `state` | Payments. |'

/** Samples of the rules that compare a list in the documents with the code. */
export const documentedSamples = {
  documentedLogMessages: {
    fails: [
      [
        'server/a.ts:1',
        {
          [page]: messages(sent),
          'server/a.ts': `log.warn({}, 'sent'); log.warn({ attempt, err }, 'sending failed')`,
        },
      ],
      [
        'server/a.ts:1',
        { [page]: messages(sent), 'server/a.ts': `log.error({ attempt, err }, 'sending failed')` },
      ],
      [
        'server/a.ts:1',
        { [page]: messages(sent), 'server/a.ts': `log.warn({ attempt, err, pos }, 'sending failed')` },
      ],
      [
        'server/a.ts:1',
        {
          [page]: messages(sent),
          'server/a.ts': `this.#log.warn({ attempt, err }, text); log.warn({ attempt, err }, 'sending failed')`,
        },
      ],
      [
        'server/a.ts:1',
        {
          [page]: messages(sent),
          'server/a.ts': `services.log.warn(fields, late ? 'sending failed' : 'late')`,
        },
      ],
      [
        'server/a.ts:1',
        { [page]: messages('| `ready` | info | `level` | |'), 'server/a.ts': `log.info({ level }, 'ready')` },
      ],
      [`${page}:3`, { [page]: messages(sent), 'server/a.ts': `log.warn({ err }, 'sending failed')` }],
      [
        `${page}:3`,
        { [page]: messages(sent), 'server/a.test.ts': `log.warn({ attempt, err }, 'sending failed')` },
      ],
    ],
    passes: {
      [page]: `${messages(sent)}\n\n${messages('| `ready` | info | | It runs. |')}`,
      'server/a.ts': `log.warn({ attempt, err }, 'sending failed'); log.info({}, 'ready')`,
      'sandbox/a.ts': `log.warn({ attempt }, 'sending failed'); log.info({ status }, 'request')`,
      'server/a.test.ts': `log.warn({}, 'only in a test')`,
    },
  },

  decisions: {
    fails: [
      ['docs/decisions/0001-a.md:1', '# 1. A pinned Node\n\n## Context'],
      [
        'docs/decisions/0001-a.md:1',
        {
          'docs/decisions/README.md': '\n| [1](0001-a.md) | A pinned Node | in force |\n',
          'docs/decisions/0001-a.md': '# 1. A pinned Node\n\nState: superseded by [2](0002-b.md).',
        },
      ],
      ['docs/decisions/0001-a.md:1', '# 1. A pinned Node\n\nState: in force.'],
    ],
    passes: {
      'docs/decisions/README.md':
        '\n| [1](0001-a.md) | A pinned Node | partly superseded by 2, 3 |\n| [2](0002-b.md) | Other | in force |\n',
      'docs/decisions/0001-a.md':
        '# 1. A pinned Node\n\nState: partly superseded by [2](0002-b.md), [3](0003-c.md): the version.',
      'docs/decisions/0002-b.md': '# 2. Other\n\nState: in force.',
    },
  },

  documentedMetrics: {
    fails: [
      [
        'server/a.ts:1',
        { [page]: metrics(), 'server/a.ts': `metrics.counter('vezne_payments_total', 'Payments.')` },
      ],
      [
        'server/a.ts:1',
        { [page]: metrics(counter), 'server/a.ts': `metrics.gauge('vezne_payments_total', 'Payments.')` },
      ],
      [
        'server/a.ts:1',
        { [page]: metrics(), 'server/a.ts': `metrics.counter(\`vezne_\${name}\`, 'Payments.')` },
      ],
      [
        `${page}:4`,
        {
          [page]: metrics('| `vezne_payments` | counter | | Payments. |', counter),
          'server/a.ts': `metrics.counter('vezne_payments', 'Payments.')`,
        },
      ],
    ],
    passes: {
      [page]: metrics(counter),
      'server/a.ts': `metrics.counter('vezne_payments_total', 'Payments.', ['state'])`,
      'server/a.test.ts': `metrics.counter('vezne_tests_total', 'Tests.')`,
    },
  },
} satisfies Record<string, Samples>
