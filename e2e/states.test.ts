import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessibilityViolations, assertAccessible, overflowAtEveryWidth } from './accessibility.ts'
import { pageScenarios } from './page-scenarios.ts'
import { payer } from './payer.ts'

describe('every state is accessible in light and dark, at narrow and wide widths', { concurrency: 2 }, () => {
  for (const { name, caption, options, reach, isScriptless } of pageScenarios) {
    it(`${name}: ${caption}`, async (t) => {
      const visit = await payer(t, await options?.())
      await reach(visit)
      if (!isScriptless) await assertAccessible(visit.page)
    })
  }
})

describe('every state is accessible in English too, and nothing overflows', { concurrency: 2 }, () => {
  for (const { name, options, reach, isScriptless } of pageScenarios) {
    if (isScriptless) continue
    it(name, async (t) => {
      const visit = await payer(t, { ...(await options?.()), language: 'en' })
      await reach(visit)
      assert.deepEqual(await overflowAtEveryWidth(visit.page), [])
      assert.deepEqual(await accessibilityViolations(visit.page), [])
    })
  }
})
