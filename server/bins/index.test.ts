import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { runVezne } from '../../testing/harness/command-line.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import { startProcess } from '../../testing/harness/process.ts'
import { longIt } from '../../testing/harness/tier.ts'

const { url } = await testDatabase()
const env = { DATABASE_URL: url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
const folder = mkdtempSync(join(tmpdir(), 'vezne-bins-'))
after(() => rmSync(folder, { recursive: true }))

const bins = (...words: string[]) => runVezne(['bins', ...words], env)

function file(name: string, ...rows: string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `bin_number;bank_name;card_brand;card_type;card_family\n${rows.join('\n')}\n`)
  return path
}

const good = ['540036;Garanti BBVA;mastercard;kredi kartı;bonus', '54003612;İlk Ödeme;troy;ön ödemeli;']

it('the command line imports, shows and looks up a table, and restores the built-in one', async () => {
  assert.match((await bins('status')).output, /^imported +never.*No table has been imported yet/ms)

  const bad = await bins('import', file('liste.csv', ...good, '5400;X;visa;credit;'))
  assert.equal(bad.code, 1)
  assert.match(bad.output, /^line 4: bin_number must be 6 to 8 digits/m)
  assert.match(bad.output, /Nothing was changed.*--skip-bad/)

  const path = join(folder, 'liste.csv')
  const dry = await bins('import', path, '--skip-bad', '--dry-run')
  assert.deepEqual([dry.code, /dry run/.test(dry.output)], [0, true])
  const taken = await bins('import', path, '--skip-bad', '--source', 'BKM', '--as-of', '2026-02-28')
  assert.equal(taken.code, 0, taken.output)
  assert.match(taken.output, /^Now in use: 2 rows, BKM, as of 2026-02-28\.$/m)

  const status = await bins('status')
  assert.match(status.output, /^rows +2$.*^source +BKM$.*^as of +2026-02-28 \(\d+ days old\)$/ms)
  assert.match(status.output, /^\S+\+03:00 +2 +2026-02-28 +yes +BKM$/m)

  const shown = await bins('show', '54003612')
  assert.equal(shown.code, 0)
  assert.match(shown.output, /^bank_name +İlk Ödeme$.*^card_type +debit$.*^prepaid +yes$/ms)
  assert.match(shown.output, /^row +54003612, the longest match; shorter matches: 540036$/m)
  assert.match((await bins('show', '54003600')).output, /^row +540036, the only match$/m)
  const unknown = await bins('show', '99999999')
  assert.deepEqual([unknown.code, /is unknown/.test(unknown.output)], [1, true])

  const restored = await bins('restore')
  assert.equal(restored.code, 0)
  assert.match(restored.output, /^removed +\d+$.*^Now in use: \d+ rows, the table that comes with Vezne/ms)
  assert.match((await bins('restore')).output, /already in use/)
  assert.match((await bins('status')).output, /^imported +never.*2026-02-28 +- +BKM$/ms)
})

it('a card number is refused and not repeated, and an invalid day is refused', async () => {
  for (const words of [
    ['5400360000000003'],
    ['5400360'],
    ['54003600', '00000003'],
    ['5400 3600 0000 0003'],
    ['x'],
  ]) {
    const { code, output } = await bins('show', ...words)
    assert.equal(code, 2, words.join(' '))
    assert.doesNotMatch(output, /5400|0003/)
  }
  for (const day of ['2026-02-30', '2999-01-01', '26-1-1', 'today']) {
    const { code, output } = await bins('import', file('a.csv', ...good), '--as-of', day)
    assert.equal(code, 2)
    assert.match(output, /^--as-of: /m)
  }
})

longIt('the process never prints a card number', async (t) => {
  const process = startProcess(t, ['./vezne', 'bins', 'show', '5400 3600 0000 0003'], env)
  assert.equal(await process.ended, 2)
  assert.doesNotMatch(process.output(), /5400|0003/)
})
