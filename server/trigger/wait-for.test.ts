import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TestClock } from '../../testing/harness/clock.ts'
import { waitFor } from './wait-for.ts'

it('waits half a minute, and then throws an error that names the missing thing', async () => {
  const clock = new TestClock()
  const waiting = assert.rejects(
    waitFor({ clock }, 'a miracle', async () => undefined),
    /^Error: Timed out after 30 seconds waiting for a miracle\. /,
  )
  await clock.asleep(1)
  clock.advance(29_950)
  await clock.asleep(1)
  clock.advance(100)
  await waiting
})
