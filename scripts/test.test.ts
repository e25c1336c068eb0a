import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { describe, it } from 'node:test'
import { root, startProcess } from '../server/testing/process.ts'
import { longIt } from '../server/testing/tier.ts'
import { fullRunOnly } from './test/tiers.ts'
import { longestFirst } from './test/times.ts'

describe('the full tier', () => {
  it('lists files that exist', () => {
    const files = globSync('{server,scripts}/**/*.test.ts', { cwd: root })
    const empty = Object.values(fullRunOnly)
      .flat()
      .filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))
    assert.deepEqual(empty, [])
  })
})

describe('the order of files', () => {
  it('is longest first, after files whose time is not known', () => {
    const [short, long] = ['server/kit/money.test.ts', 'server/start.test.ts']
    assert.deepEqual(longestFirst([short, 'b.test.ts', long, 'a.test.ts']), [
      'a.test.ts',
      'b.test.ts',
      long,
      short,
    ])
  })
})

const samples = {
  passes: `it('passes', () => {}); it('is skipped', { skip: 'a reason' }, () => {})`,
  fails: `describe('a suite', () => { it('fails', () => { throw new Error('the cause') }) })`,
  breaks: `it('ends its process', () => process.exit(3))`,
  'cannot be loaded': `throw new Error('the file')`,
}

describe('a run', () => {
  longIt('names each failure with its cause, and counts it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vezne-samples-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const files = Object.entries(samples).map(([name, text]) => {
      const file = join(folder, `${name.replaceAll(' ', '-')}.test.mjs`)
      writeFileSync(file, `import { describe, it } from 'node:test'\n${text}\n`)
      return relative(root, file)
    })
    const words = [process.execPath, 'scripts/test.ts', ...files]
    const run = startProcess(t, words, { NODE_TEST_CONTEXT: undefined, TMPDIR: undefined })
    assert.equal(await run.ended, 1, run.output())
    const lines = run.output().split('\n')
    const named = (words: string) => lines.some((line) => line.startsWith('✖') && line.includes(words))
    for (const words of ['a suite › fails', 'breaks', 'cannot-be-loaded'])
      assert.ok(named(words), run.output())
    for (const cause of ['the cause', 'the file']) assert.ok(run.output().includes(cause), run.output())
    assert.match(lines.at(-1) ?? '', /^1 passed, 3 failed, 1 skipped$/)
  })
})
