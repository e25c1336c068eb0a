import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { testPages } from '../../../testing/till/page.ts'
import { cardFieldErrorTexts, payerFieldErrorTexts } from '../texts/texts.ts'

const page = await testPages()
const script = (name: string) => readFileSync(join(import.meta.dirname, '../../../page', name), 'utf8')

it('the page’s script gets every text that it uses, and those of the payer fields if the page has them', async () => {
  const { path } = await page.open()
  const [, attribute = ''] = /data-words="([^"]*)"/.exec((await page.get(path)).text) ?? []
  const { faults: fieldErrors, ...others } = JSON.parse(
    attribute.replaceAll('&#34;', '"').replaceAll('&#39;', "'"),
  )
  const [, declared = ''] = /interface PageTexts \{([^}]*)\}/.exec(script('page-data.ts')) ?? []
  assert.deepEqual(
    [...Object.keys(others), 'faults'],
    [...declared.matchAll(/(\w+):/g)].map(([, name]) => name),
  )
  assert.deepEqual(Object.keys(fieldErrors), [
    ...Object.keys(cardFieldErrorTexts),
    ...Object.keys(payerFieldErrorTexts),
  ])
  const [, names = ''] = /const fieldNames = \[([^\]]*)\]/.exec(script('rules/check.ts')) ?? []
  const [, empty = ''] = /const empty = \{([^}]*)\}/.exec(script('rules/check.ts')) ?? []
  for (const [, name = ''] of `${names}${empty}`.matchAll(/'(\w+)'/g)) assert.ok(fieldErrors[name], name)
})
