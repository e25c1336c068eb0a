import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testPages } from '../../../testing/till/page.ts'

const page = await testPages()

it('an open payment shows the seller and the id in their places, with the name escaped', async () => {
  const { path, id } = await page.open()
  await page.setMerchant({ name: '<b>Işık' })
  const { text } = await page.get(path)
  const [outcome = ''] = /<section id="outcome"[\s\S]*?<\/section>/.exec(text) ?? []
  assert.match(outcome, /&#60;b&#62;Işık/)
  assert.match(outcome, new RegExp(`data-id="${id}"[\\s\\S]*class="id">${id}<`))
  assert.doesNotMatch(outcome, /<b>|[\ue000\ue001]/)
})
