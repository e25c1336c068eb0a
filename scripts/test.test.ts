import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { describe, it } from 'node:test'
import { root, startProcess } from '../testing/harness/process.ts'
import { longIt } from '../testing/harness/tier.ts'
import { fullRunOnly } from './test/tiers.ts'
import { longestFirst } from './test/times.ts'

describe('the full tier', () => {
  it('lists files that exist', () => {
    const files = globSync('{server,kit,sandbox,testing,scripts}/**/*.test.ts', { cwd: root })
    const empty = Object.values(fullRunOnly)
      .flat()
      .filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))
    assert.deepEqual(empty, [])
  })
})

describe('the order of files', () => {
  it('puts files without a known time first, then the longest', () => {
    const [short, long] = ['kit/money/money.test.ts', 'server/start.test.ts']
    assert.deepEqual(longestFirst([short, 'b.test.ts', long, 'a.test.ts']), [
      'a.test.ts',
      'b.test.ts',
      long,
      short,
    ])
  })
})

/** Test files, each with the last line of its run and the texts that its output must contain. */
const samples = {
  passes: {
    text: `it('passes', () => {}); it('is skipped', { skip: 'a reason' }, () => {})`,
    ends: '1 passed, 0 failed, 1 skipped',
    says: ['is skipped', 'a reason'],
  },
  'skips a suite': {
    text: `describe('a suite', { skip: 'a reason' }, () => { it('is not run', () => {}) })`,
    ends: '0 passed, 0 failed, 1 skipped',
    says: ['a suite', 'a reason'],
  },
  fails: {
    text: `describe('a suite', () => { it('fails', () => { throw new Error('the cause') }) })`,
    ends: '0 passed, 1 failed, 0 skipped',
    says: ['a suite › fails', 'the cause'],
  },
  'cannot be loaded': {
    text: `throw new Error('the cause')`,
    ends: '0 passed, 1 failed, 0 skipped',
    says: ['the cause'],
  },
  'has a hook that fails': {
    text: `after(() => { throw new Error('the cause') }); it('passes', () => {})`,
    ends: '1 passed, 1 failed, 0 skipped',
    says: ['the cause'],
  },
  'fails after its test': {
    text: `it('passes', () => { setTimeout(() => { throw new Error('the cause') }, 50) })`,
    ends: '1 passed, 1 failed, 0 skipped',
    says: ['the cause'],
  },
  // Two failures: the process, and the file that did not finish.
  'ends its process': {
    text: `it('ends its process', () => process.exit(3))`,
    ends: '0 passed, 2 failed, 0 skipped',
    says: ['The file did not finish: its process ended early'],
  },
}

describe('a run of nothing', () => {
  const refusals = {
    'scripts/test.ts server/nothing.test.ts': 'There is no test at server/nothing.test.ts.',
    'scripts/test.ts kit/money/money.ts': 'There is no test at kit/money/money.ts.',
    'scripts/test.ts docs': 'There is no test at docs.',
    'scripts/test.ts e2e/typing.test.ts': 'The tests in e2e/ need a browser',
    'scripts/mutations.ts no-such-area':
      'No mutation has no-such-area in its area or name. Areas: payments, ',
    'e2e/main.ts no-such-test': 'No test file in e2e/ has no-such-test in its name.',
  }
  for (const [words, says] of Object.entries(refusals)) {
    longIt(`is refused: ${words}`, async (t) => {
      const run = startProcess(t, [process.execPath, ...words.split(' ')], { NODE_TEST_CONTEXT: undefined })
      assert.equal(await run.ended, 2, run.output())
      assert.ok(run.output().startsWith(says), run.output())
    })
  }
})

describe('a run of a file that', () => {
  for (const [name, { text, ends, says }] of Object.entries(samples)) {
    longIt(`${name} ends with ${ends}`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'vezne-sample-'))
      t.after(() => rmSync(folder, { recursive: true }))
      const file = join(folder, 'sample.test.mjs')
      writeFileSync(file, `import { after, describe, it } from 'node:test'\n${text}\n`)
      const words = [process.execPath, 'scripts/test.ts', relative(root, file)]
      const run = startProcess(t, words, { NODE_TEST_CONTEXT: undefined, TMPDIR: undefined })
      assert.equal(await run.ended, ends.includes(' 0 failed') ? 0 : 1, run.output())
      assert.equal(run.output().split('\n').at(-1), ends, run.output())
      for (const words of says) assert.ok(run.output().includes(words), run.output())
    })
  }
})
