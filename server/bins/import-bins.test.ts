import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Refused } from '../../kit/input/refusals.ts'
import { DatabaseUnavailable, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { endLockWaiters, untilLockIsAwaited } from '../../testing/harness/database.ts'
import { startProcess } from '../../testing/harness/process.ts'
import { longIt } from '../../testing/harness/tier.ts'
import type { Services } from '../services.ts'
import { activeTable, builtInTableId } from './active-bins.ts'
import { kindOfBin } from './bin-table.ts'
import { importBins } from './import-bins.ts'
import { switchActiveTable } from './replace-bins.ts'
import { activeTableId, activeTableIdForUpdate } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-bins-'))
after(() => rmSync(folder, { recursive: true }))

/** Number of files written; each file is named by its number. */
let files = 0

function fileOf(rows: readonly string[], columns = 'bin,bank_code,brand,type,family'): string {
  files += 1
  const path = join(folder, `${files}.csv`)
  writeFileSync(path, `${columns}\n${rows.join('\n')}\n`)
  return path
}

const visa = (prefix: number, family = 'bonus') => `${prefix},62,visa,credit,${family}`
const many = (count: number, first = 10_000_000) =>
  Array.from({ length: count }, (_, index) => visa(first + index))

/** Creates a database, with the actions of an operator and of a merchant's backend. */
async function installation() {
  const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
  const { services } = api
  const output: string[] = []
  const run = async (file: string, options: Partial<Parameters<typeof importBins>[1]> = {}) => {
    output.length = 0
    await importBins(services, { file, ...options }, (line) => output.push(line))
    return output
  }
  const statusOf = async (bin: number) =>
    (await backendOf(api).get(`/v1/bin-lookup?bin_number=${bin}`)).status
  /** Number of rows, of table ids in the rows and in the kinds, and of imports. */
  const counts = () =>
    services.sql.one<{ rows: number; tables: number; kinds: number; imports: number }>(
      sql`select (select count(*) from bins) as rows, (select count(distinct table_id) from bins) as tables,
        (select count(distinct table_id) from bin_kinds) as kinds, (select count(*) from bin_tables) as imports`,
    )
  return { api, services, output, run, statusOf, counts }
}

/** Holds the lock that every import takes at its end, until `release` is called. */
async function lockChoice({ sql: database }: Pick<Services, 'sql'>) {
  const isLocked = Promise.withResolvers<void>()
  const isReleased = Promise.withResolvers<void>()
  const locking = database.transaction(async (transaction) => {
    await activeTableIdForUpdate(transaction)
    isLocked.resolve()
    await isReleased.promise
  })
  const ended = locking.catch(() => undefined)
  await isLocked.promise
  return {
    release: () => {
      isReleased.resolve()
      return ended
    },
  }
}

describe('an import', () => {
  it('replaces the table, deletes its rows, and takes effect after one refresh of the cache', async () => {
    const { run, statusOf, counts, services } = await installation()
    assert.deepEqual([await statusOf(54003600), await statusOf(10000005)], [200, 404])
    await run(fileOf(many(10)))
    assert.deepEqual([await statusOf(54003600), await statusOf(10000005)], [404, 200])
    await run(fileOf([visa(540036)]))
    assert.deepEqual([await statusOf(54003600), await statusOf(10000005)], [200, 404])
    assert.deepEqual(await counts(), { rows: 1, tables: 1, kinds: 1, imports: 2 })
    await switchActiveTable(services.sql, await activeTableId(services.sql), builtInTableId)
    assert.equal(await statusOf(37442700), 200)
    assert.deepEqual(await counts(), { rows: 0, tables: 0, kinds: 0, imports: 2 })
  })

  it('stores the rows as they are in the file, over any number of pages', async () => {
    const { run, services } = await installation()
    const rows = many(45_000).map((row) => row.replace(',62,', ',QNB,'))
    await run(fileOf([...rows, '540036,İlk Ödeme,troy,prepaid,-'], 'bin,bank_name,brand,type,family'))
    const { table } = await activeTable(services)
    assert.equal(table.rows.size, 45_001)
    assert.deepEqual(kindOfBin(table, 54003612), {
      bankCode: 0,
      bankName: 'İlk Ödeme',
      brand: 'troy',
      type: 'debit',
      family: null,
      segment: 'personal',
      country: 'TR',
      prepaid: true,
    })
    assert.equal(kindOfBin(table, 10_044_999)?.bankName, 'QNB')
  })

  it('reports added, removed, changed and unchanged rows, with examples', async () => {
    const { run } = await installation()
    await run(fileOf([...many(7), visa(540036), visa(415792)]))
    const output = await run(
      fileOf([visa(415792), '540036,64,visa,debit,maximum', visa(435508), visa(41579300)]),
    )
    assert.deepEqual(output.slice(0, -3), [
      '4 rows read, none refused.',
      'Compared with the table in use:',
      'added     2',
      '    41579300  Garanti BBVA, visa, credit, bonus, personal, TR',
      '    435508  Garanti BBVA, visa, credit, bonus, personal, TR',
      'removed   7',
      ...many(5).map((row) => `    ${row.slice(0, 8)}  Garanti BBVA, visa, credit, bonus, personal, TR`),
      '    and 2 more',
      'changed   1',
      '    540036  bank_code 62 → 64, bank_name Garanti BBVA → İş Bankası, card_type credit → debit, card_family bonus → maximum',
      'unchanged 1',
    ])
  })

  it('of the same file again changes the origin only', async () => {
    const { run, services, counts } = await installation()
    const file = fileOf(many(10))
    await run(file, { source: 'first', as_of: '2026-11-01' })
    const output = await run(file, { source: 'second' })
    assert.match(output.join('\n'), /No differences from the table in use: 10 rows are the same/)
    const { table } = await activeTable(services)
    assert.deepEqual([table.origin.source, table.origin.asOf, table.rows.size], ['second', '2026-11-15', 10])
    assert.deepEqual(await counts(), { rows: 10, tables: 1, kinds: 1, imports: 2 })
  })

  it('uses the file name as source and today as day by default, and refuses a future day', async () => {
    const { run, services } = await installation()
    const file = fileOf(many(1))
    await run(file)
    const { table } = await activeTable(services)
    assert.deepEqual([table.origin.source, table.origin.asOf], [`${files}.csv`, '2026-11-15'])
    await assert.rejects(run(file, { as_of: '2026-11-16' }), Refused)
  })
})

describe('nothing changes', () => {
  it('if three of ten thousand rows are bad, unless --skip-bad is given', async () => {
    const { run, output, counts, statusOf } = await installation()
    const rows = many(10_000)
    rows[1] = 'x,62,visa,credit,bonus'
    rows[5_000] = visa(10_000_007)
    rows[9_999] = visa(10_009_999, 'Bonuss')
    const file = fileOf(rows)
    await assert.rejects(run(file), /Nothing was changed.*--skip-bad/)
    assert.deepEqual(await counts(), { rows: 0, tables: 0, kinds: 0, imports: 0 })
    assert.match(
      output.join('\n'),
      /9997 rows valid, 3 refused:\nline 3: bin_number.*\nline 5002: has the same bin_number as line 9\nline 10001: card_family “Bonuss”/,
    )
    await run(file, { skip_bad: true })
    assert.deepEqual(await counts(), { rows: 9_997, tables: 1, kinds: 1, imports: 1 })
    assert.equal(await statusOf(10_000_007), 200)
  })

  it('in a dry run, which reports that', async () => {
    const { run, counts } = await installation()
    const output = await run(fileOf(many(10)), { dry_run: true })
    assert.match(output.join('\n'), /added {5}10\n.*Nothing was changed: this was a dry run/s)
    assert.equal((await counts()).imports, 0)
  })

  it('if no row is good, even with --skip-bad, or if the file does not exist', async () => {
    const { run, counts } = await installation()
    await assert.rejects(run(fileOf([])), /the file has no valid row/)
    await assert.rejects(
      run(fileOf(['x,62,visa,credit,bonus']), { skip_bad: true }),
      /the file has no valid row/,
    )
    await assert.rejects(run(join(folder, 'none.csv')), /The file .*none\.csv does not exist/)
    await assert.rejects(run(folder), /is a folder/)
    assert.equal((await counts()).imports, 0)
  })

  longIt('if the process is killed inside the transaction', async (t) => {
    const { api, run, services, counts, statusOf } = await installation()
    await run(fileOf([visa(540036)]))
    const before = await counts()
    const choice = await lockChoice(services)
    const env = { DATABASE_URL: api.database.url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
    const importing = startProcess(t, ['./vezne', 'bins', 'import', fileOf(many(1_000))], env)
    await untilLockIsAwaited(services.sql)
    await importing.end('SIGKILL')
    await choice.release()
    assert.deepEqual(await counts(), before)
    assert.deepEqual([await statusOf(54003600), await statusOf(10000005)], [200, 404])
    await run(fileOf([visa(415792)]))
    assert.deepEqual([await statusOf(41579200), (await counts()).tables], [200, 1])
  })

  it('if the connection breaks inside the transaction', async () => {
    const { api, run, services, counts, statusOf } = await installation()
    await run(fileOf([visa(540036)]))
    const before = await counts()
    const choice = await lockChoice(services)
    const importing = run(fileOf(many(1_000)))
    const failure = assert.rejects(importing, DatabaseUnavailable)
    await untilLockIsAwaited(services.sql)
    await endLockWaiters(api.database.url)
    await failure
    await choice.release()
    assert.deepEqual(await counts(), before)
    assert.equal(await statusOf(54003600), 200)
  })
})

it('if two imports run at the same time, one succeeds, the other is refused, and the rows of one table are left', async () => {
  const { services, counts } = await installation()
  const choice = await lockChoice(services)
  const importing = [fileOf(many(5_000)), fileOf(many(4_000, 20_000_000))].map((file) =>
    importBins(services, { file }, () => undefined),
  )
  const settled = Promise.allSettled(importing)
  await untilLockIsAwaited(services.sql, 2)
  await choice.release()
  const outcomes = await settled
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 1)
  assert.match(String(refused[0]?.reason), /Another command has changed the table in the meantime/)
  const { rows, tables, kinds, imports } = await counts()
  assert.ok([5_000, 4_000].includes(rows))
  assert.deepEqual([tables, kinds, imports], [1, 1, 1])
})
