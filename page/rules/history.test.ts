import assert from 'node:assert/strict'
import { it } from 'node:test'
import { UndoHistory } from './history.ts'

it('what was typed is undone and done again, step by step', () => {
  const history = new UndoHistory<string>()
  history.keep('')
  history.keep('4')
  assert.equal(history.undo('41'), '4')
  assert.equal(history.undo('4'), '')
  assert.equal(history.undo(''), undefined)
  assert.equal(history.redo(''), '4')
  assert.equal(history.redo('4'), '41')
  assert.equal(history.redo('41'), undefined)
})

it('what is typed after undoing takes the place of what was undone', () => {
  const history = new UndoHistory<string>()
  history.keep('')
  assert.equal(history.undo('4'), '')
  history.keep('')
  assert.equal(history.redo('5'), undefined)
  assert.equal(history.undo('5'), '')
})

it('what is forgotten cannot be undone', () => {
  const history = new UndoHistory<string>()
  history.keep('4111')
  history.forget()
  assert.equal(history.undo(''), undefined)
})
