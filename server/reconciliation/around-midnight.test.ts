import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { cards } from '../../sandbox/index.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import {
  modificationCases,
  modificationFaults,
  posByConnector,
  seedDueModifications,
} from '../../testing/seed/modifications.ts'
import { testTill } from '../../testing/till/till.ts'
import { reconcile } from './reconcile.ts'
import { breakKinds } from './reconciliation-break.ts'

const folder = mkdtempSync(join(tmpdir(), 'vezne-around-midnight-'))
after(() => rmSync(folder, { recursive: true }))

/** The clock starts at 23:45 in Istanbul, so that many operations end on the next day. */
const till = await testTill({ clock: new TestClock('2026-11-15T20:45:00Z'), withBankPage: true })
const { services } = till
const hourMs = 60 * 60 * 1000
const days = ['2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16']

/** Pays with every card that causes a fault. Returns the name of the fault per payment. */
async function payWithAll(): Promise<Map<number | null, string>> {
  const names = new Map<number | null, string>()
  for (const { number, fault } of cards) {
    if (!fault || fault.modificationFault) continue
    const paymentId = await till.start()
    names.set(paymentId, fault.name)
    await till.passUntil(till.pay(paymentId, number))
  }
  return names
}

/** Starts every kind of modification at each bank. */
async function beginAll(posIds: Iterable<number>): Promise<void> {
  const lost = modificationFaults.find(
    (fault) => fault?.modificationFault && typeof fault.modificationFault.answer !== 'object',
  )
  assert.ok(lost)
  for (const posId of posIds) {
    for (const fault of [null, lost.name])
      for (const modificationCase of modificationCases)
        await seedDueModifications(till, modificationCase, { posId, fault, count: 1 })
  }
}

it('after all bank faults around midnight, the statements show only the breaks that remain in the end', async () => {
  const pos = await posByConnector(till)
  const names = await payWithAll()
  await beginAll(pos.values())
  await till.pass(3 * hourMs)
  const breaks: string[] = []
  let lines = 0
  for (const posId of pos.values()) {
    for (const day of days) {
      const file = join(folder, `${posId}-${day}.csv`)
      const words = ['--pos', String(posId), '--day', day, '--file', file]
      await runTypedCommand(services, ['sandbox', 'statement', ...words])
      const report = await reconcile(services, { file, pos: posId, day })
      lines += report.lines
      for (const entry of [...breakKinds, 'other_day' as const].flatMap((kind) => report.listed(kind)))
        breaks.push(`${day} ${entry.kind} ${names.get(entry.paymentId)} ${entry.note}`)
    }
  }
  assert.ok(lines > 30)
  // The reversal of the `stuck` charge never succeeds. A charge over a different amount was reversed and is
  // no break.
  assert.deepEqual(breaks, ['2026-11-15 state stuck not known yet: it is being undone'])
})
