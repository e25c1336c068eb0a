import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findPostgresPackage, openBinaries } from './binaries.ts'
import { osAccountForRoot } from './os-account.ts'

const asRoot = process.geteuid?.() === 0 ? {} : { skip: 'only root lends PostgreSQL an account' }

test('programs that the account cannot reach are copied once to a place it can reach', asRoot, async (t) => {
  const closed = mkdtempSync(join(tmpdir(), 'vezne-closed-'))
  t.after(() => rmSync(closed, { recursive: true }))
  cpSync(findPostgresPackage().native, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
  const unreachable = { native: join(closed, 'native'), version: `test-${process.pid}` }
  const nobody = osAccountForRoot('nobody:x:65534:65534')
  const [first, second] = await Promise.all([
    openBinaries(unreachable, nobody),
    openBinaries(unreachable, nobody),
  ])
  const copy = dirname(dirname(first.postgres))
  t.after(() => rmSync(copy, { recursive: true }))
  assert.deepEqual(first, second)
  assert.equal(first.major, '18')
  assert.equal(existsSync(first.initdb), true)
  assert.notEqual(copy, unreachable.native)
})

test('programs that do not run are reported with a remedy', async () => {
  const broken = { native: '/nonexistent', version: 'none' }
  const account = { name: 'ourselves', uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  await assert.rejects(openBinaries(broken, account), /\/nonexistent does not run.*ENOENT[\s\S]*DATABASE_URL/)
})
