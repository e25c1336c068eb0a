import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newSubmissionId } from './submission.ts'

it('each press of the button has its own submission id', () => {
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
  const made = Array.from({ length: 100 }, newSubmissionId)
  for (const one of made) assert.match(one, uuid)
  assert.equal(new Set(made).size, 100)
})
