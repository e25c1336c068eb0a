import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { WrongUsage } from '../../kit/command-line/command.ts'
import { Refused } from '../../kit/input/refusals.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { ensureDemoPos } from './demo-pos.ts'
import type { Pos } from './pos.ts'
import { openSecrets } from './secrets.ts'
import { posOfMerchant, sealedSecretsOf } from './store.ts'

const api = await testApi()
const { services } = api
const folder = mkdtempSync(join(tmpdir(), 'vezne-pos-'))
after(() => rmSync(folder, { recursive: true }))

const run = (...words: string[]) => runTypedCommand(services, words)
let pos: Pos

before(async () => {
  await ensureDemoPos(services, api.merchant)
  const [first] = await posOfMerchant(services.sql, api.merchant.id)
  assert.ok(first)
  pos = first
})

async function now(): Promise<Pos> {
  const found = (await posOfMerchant(services.sql, api.merchant.id)).find(({ id }) => id === pos.id)
  assert.ok(found)
  return found
}

it('changes only the given fields', async () => {
  const before = await now()
  api.clock.advance(1000)
  await run(
    'pos',
    'change',
    String(pos.id),
    '--state',
    'refund_only',
    '--currencies',
    'try',
    '--currencies',
    'TRY',
  )
  assert.deepEqual(await now(), {
    ...before,
    state: 'refund_only',
    currencies: ['TRY'],
    updatedAt: api.clock.now(),
  })
  await run('pos', 'change', String(pos.id), '--state', 'active', '--clear', 'families')
  assert.deepEqual((await now()).families, [])
})

it('new secrets replace the old ones, and none can be missing', async () => {
  const file = join(folder, 'secrets')
  writeFileSync(file, 'terminal=77\npassword=new\n')
  await run('pos', 'change', String(pos.id), '--secrets', file)
  assert.deepEqual(openSecrets(services, await sealedSecretsOf(services.sql, pos)), {
    terminal: '77',
    password: 'new',
  })
  writeFileSync(file, 'terminal=78\n')
  await assert.rejects(run('pos', 'change', String(pos.id), '--secrets', file), Refused)
  assert.equal(openSecrets(services, await sealedSecretsOf(services.sql, pos))['terminal'], '77')
})

it('an empty change, a taken name and an unknown POS are refused', async () => {
  await assert.rejects(run('pos', 'change', String(pos.id)), WrongUsage)
  await assert.rejects(run('pos', 'change', String(pos.id), '--name', 'Deneme World POS'), Refused)
  await assert.rejects(run('pos', 'change', '1', '--priority', '1'), Refused)
  await assert.rejects(run('pos', 'show', '1'), Refused)
})
