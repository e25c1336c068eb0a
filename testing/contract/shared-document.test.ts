import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { contract } from './contract.ts'
import { differences } from './differences.ts'
import { documentFaults, readContract } from './document.ts'

/** The document is not part of this repository. It can lie beside the clone. */
const path = join(import.meta.dirname, '..', '..', '..', 'shared', 'interface.md')
const skip = existsSync(path) ? false : 'the shared document does not lie beside this clone'

it('our contract is that of the shared document, apart from the listed differences', { skip }, () => {
  assert.deepEqual(documentFaults(contract, readContract(readFileSync(path, 'utf8')), differences), [])
})
