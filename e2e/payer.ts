import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { after } from 'node:test'
import { closeBrowser } from './browser.ts'
import { closeDatabase } from './database.ts'
import type { PayerVisit, VisitOptions } from './visit.ts'
import { openVisit } from './visit.ts'

export { answerChallenge } from './bank.ts'

after(async () => {
  await closeBrowser()
  await closeDatabase()
})

/**
 * Opens the page of a new payment in a new window. Any test fails if something happens there that never must:
 * see `watch.ts`.
 */
export async function payer(t: TestContext, options: VisitOptions = {}): Promise<PayerVisit> {
  const visit = await openVisit(options)
  t.after(async () => {
    const { wrong, jumps } = await visit.end()
    for (const jump of jumps) t.diagnostic(`after input ${jump}`)
    for (const complaint of wrong) t.diagnostic(complaint)
    assert.deepEqual(wrong, [], 'the browser has nothing to complain about')
  })
  return visit
}
