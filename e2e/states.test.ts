import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAccessible, obstacles, sidewaysAtEveryWidth } from './accessible.ts'
import { payer } from './payer.ts'
import { states } from './states.ts'

describe('everybody can use what is shown, light and dark, narrow and wide', { concurrency: 2 }, () => {
  for (const { name, caption, options, reach, isScriptless } of states) {
    it(`${name}: ${caption}`, async (t) => {
      const visit = await payer(t, await options?.())
      await reach(visit)
      if (!isScriptless) await isAccessible(visit.page)
    })
  }
})

describe('in English everybody can use it too, and nothing sticks out', { concurrency: 2 }, () => {
  for (const { name, options, reach, isScriptless } of states) {
    if (isScriptless) continue
    it(name, async (t) => {
      const visit = await payer(t, { ...(await options?.()), language: 'en' })
      await reach(visit)
      assert.deepEqual(await sidewaysAtEveryWidth(visit.page), [])
      assert.deepEqual(await obstacles(visit.page), [])
    })
  }
})
