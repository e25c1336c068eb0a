import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { areas, mutations } from './mutations/list.ts'

const root = join(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** Names of the mutations for which the condition is false. */
const unless = (holds: (mutation: (typeof mutations)[number]) => boolean) =>
  mutations.filter((mutation) => !holds(mutation)).map(({ name }) => name)

describe('the list of mutations', () => {
  it('names existing files and tests', () => {
    assert.deepEqual(
      unless(({ file }) => existsSync(join(root, file))),
      [],
    )
    assert.deepEqual(
      unless(({ noticedBy }) => noticedBy.endsWith('.test.ts') && existsSync(join(root, noticedBy))),
      [],
    )
    assert.deepEqual(
      unless(({ noticedBy, test }) => test === undefined || textOf(noticedBy).includes(test)),
      [],
    )
  })

  it('finds each guard exactly once in its file and changes it', () => {
    assert.deepEqual(
      unless(({ file, find }) => textOf(file).split(find).length === 2),
      [],
    )
    assert.deepEqual(
      unless(({ find, replace }) => find !== replace),
      [],
    )
  })

  it('has at least sixty mutations, at least three in each area, each with a sentence about its guard', () => {
    assert.ok(mutations.length >= 60, `${mutations.length}`)
    for (const [area, entries] of Object.entries(areas)) assert.ok(Object.keys(entries).length >= 3, area)
    assert.deepEqual(
      unless(({ guard }) => /^[A-Z].*\.$/.test(guard)),
      [],
    )
  })
})
