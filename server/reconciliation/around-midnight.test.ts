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

/** A quarter to midnight, so that much of what is begun ends on the next day. */
const till = await testTill({ clock: new TestClock('2026-11-15T20:45:00Z'), withBankPage: true })
const { services } = till
const hourMs = 60 * 60 * 1000
const days = ['2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16']

/** Pays with every card with which something goes wrong. Answers what, by the payment. */
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

/** Begins everything that can be done to a charge, at each bank. */
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

it('of all that goes wrong at a bank around midnight, its statements show what is wrong in the end, and no more', async () => {
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
  // One that nobody could undo by then. What the bank took over another amount was undone, and is no break.
  assert.deepEqual(breaks, ['2026-11-15 state stuck not known yet: it is being undone'])
})
