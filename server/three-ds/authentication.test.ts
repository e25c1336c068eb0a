import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { root } from '../../testing/harness/process.ts'
import type { ChallengeReaction } from '../../testing/till/browser.ts'
import { testCheckout } from '../../testing/till/checkout.ts'

const checkout = await testCheckout()
const { services } = checkout

/** Pays with a card, in the authentication mode of its POS. */
async function pay(number: string, reaction: ChallengeReaction['reaction'] = 'right code'): Promise<void> {
  const { path } = await checkout.open()
  const browser = checkout.browser()
  const taken = await browser.submit(path, number)
  if (taken.next === 'bank_form') await browser.answer(taken.form, { reaction })
  else await browser.prove(path, { reaction })
  await checkout.settle()
}

interface PassedStates {
  state: string
  isBegun: boolean
  isAsked: boolean
  isChallenged: boolean
}

/** State changes of all authentications, derived from their timestamps. */
async function passedTransitions(): Promise<Set<string>> {
  const rows = await services.sql.many<PassedStates>(sql`select state, protocol is not null as "isBegun",
      asked_at is not null as "isAsked", challenged_at is not null as "isChallenged" from authentications`)
  const steps = rows.flatMap(({ state, isBegun, isAsked, isChallenged }) => {
    const between = [isBegun && 'begun', isAsked && 'asking', isChallenged && 'challenging']
    const passed = ['nothing', ...between.filter((step) => step !== false), state]
    return passed.slice(1).map((to, index) => `${passed[index]} ${to}`)
  })
  return new Set(steps)
}

it('authentications pass through the documented states and no others', async () => {
  const [provenAtOnce, refusedAtOnce] = ['4000000000002701', '4000000000002925']
  const [challenges, challengesInVain, notEnrolled] = [
    '4000000000002503',
    '4000000000002370',
    '4000000000002990',
  ]
  const [provenByBank, refusedByBank] = ['5451030000000018', '5451030000001008']
  const numbers = [
    provenAtOnce,
    refusedAtOnce,
    challenges,
    challengesInVain,
    notEnrolled,
    provenByBank,
    refusedByBank,
  ]
  for (const number of numbers) await pay(number)
  await pay(challenges, 'cancel')
  const page = readFileSync(join(root, 'docs/internals/three-ds.md'), 'utf8')
  const shown = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \| /gm)].map(([, from, to]) => `${from} ${to}`)
  assert.deepEqual([...(await passedTransitions())].toSorted(), shown.toSorted())
})
