import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { readPidFile, writePidFile } from './sandbox-pid-file.ts'

const pidFile = { pid: 4_194_304, port: 4_245, nonce: 'a' }

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'vezne-home-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

it('a PID file is found under every path of its home, and not in a copy of the home', (t) => {
  const home = makeFolder(t)
  const elsewhere = makeFolder(t)
  writePidFile(home, pidFile)
  symlinkSync(home, join(elsewhere, 'link'))
  cpSync(home, join(elsewhere, 'copy'), { recursive: true })
  assert.deepEqual(readPidFile(home), { home, ...pidFile })
  assert.deepEqual(readPidFile(join(elsewhere, 'link')), { home, ...pidFile })
  assert.equal(readPidFile(join(elsewhere, 'copy')), undefined)
})

it('an invalid PID file counts as none', (t) => {
  const home = makeFolder(t)
  const wrong = [
    { pid: 1 },
    { pid: 2.5 },
    { port: 0 },
    { port: -1 },
    { port: 99_999 },
    { nonce: 7 },
    { home: '/' },
  ]
  const texts = wrong.map((fields) => JSON.stringify({ home, ...pidFile, ...fields }))
  for (const text of [...texts, '', '{', 'null', '[]', '7']) {
    writeFileSync(join(home, 'sandbox.json'), text)
    assert.equal(readPidFile(home), undefined, text)
  }
  assert.equal(readPidFile(join(home, 'none')), undefined)
})
