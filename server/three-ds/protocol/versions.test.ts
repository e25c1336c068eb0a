import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isSupportedVersion, pickVersion } from './versions.ts'

const span = (text: string) => {
  const [from = '', to = from] = text.split(' ')
  return { from, to }
}

it('the highest version that all three parties support is picked', () => {
  const cases: [ds: string, acs: string, picked: string | undefined][] = [
    ['2.1.0 2.3.1', '2.1.0 2.3.1', '2.3.1'],
    ['2.1.0 2.2.0', '2.1.0 2.3.1', '2.2.0'],
    ['2.2.0 2.3.1', '2.1.0 2.2.0', '2.2.0'],
    ['2.2.0', '2.2.0', '2.2.0'],
    ['2.3.1', '2.2.0 2.10.0', '2.3.1'],
    ['2.1.0 2.3.0', '2.1.0 2.3.0', '2.2.0'],
    ['2.1.0', '2.1.0 2.3.1', undefined],
    ['2.3.1', '2.2.0', undefined],
    ['2.4.0 2.5.0', '2.1.0 2.5.0', undefined],
    ['2.3.1 2.2.0', '2.2.0 2.3.1', undefined],
    ['no version', '2.2.0 2.3.1', undefined],
  ]
  for (const [ds, acs, picked] of cases) {
    assert.equal(pickVersion(span(ds), span(acs)), picked, `${ds} / ${acs}`)
  }
})

it('2.1.0 is not supported', () => {
  assert.deepEqual(['2.1.0', '2.2.0', '2.3.1', '2.3.0', '', undefined].filter(isSupportedVersion), [
    '2.2.0',
    '2.3.1',
  ])
})
