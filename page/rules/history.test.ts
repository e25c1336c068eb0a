import assert from 'node:assert/strict'
import { it } from 'node:test'
import { UndoHistory } from './history.ts'

it('undo and redo go step by step', () => {
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

it('typing after an undo discards the redo steps', () => {
  const history = new UndoHistory<string>()
  history.keep('')
  assert.equal(history.undo('4'), '')
  history.keep('')
  assert.equal(history.redo('5'), undefined)
  assert.equal(history.undo('5'), '')
})

it('a forgotten text cannot be restored', () => {
  const history = new UndoHistory<string>()
  history.keep('4111')
  history.forget()
  assert.equal(history.undo(''), undefined)
})
