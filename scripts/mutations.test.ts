import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { areas, mutations } from './mutations/list.ts'

const root = join(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

/** The names of the mutations of which that is not so. */
const unless = (holds: (mutation: (typeof mutations)[number]) => boolean) =>
  mutations.filter((mutation) => !holds(mutation)).map(({ name }) => name)

describe('the list of mutations', () => {
  it('names files and tests that are there', () => {
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

  it('finds each guard exactly once where it says, and changes it', () => {
    assert.deepEqual(
      unless(({ file, find }) => textOf(file).split(find).length === 2),
      [],
    )
    assert.deepEqual(
      unless(({ find, replace }) => find !== replace),
      [],
    )
  })

  it('has sixty mutations at least, some in each area, and says of each what it guards', () => {
    assert.ok(mutations.length >= 60, `${mutations.length}`)
    for (const [area, entries] of Object.entries(areas)) assert.ok(Object.keys(entries).length >= 3, area)
    assert.deepEqual(
      unless(({ guard }) => /^[A-Z].*\.$/.test(guard)),
      [],
    )
  })
})
