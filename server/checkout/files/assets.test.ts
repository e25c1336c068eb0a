import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeHome } from '../../../testing/harness/embedded-home.ts'
import { assetReason } from '../guard/page-inventory.ts'
import { allAssets, buildAssets } from './assets.ts'
import { buildElementScript, elementScriptAsset } from './element-script.ts'

const root = join(import.meta.dirname, '..', '..', '..')

it('the same sources give the same bytes and names in any folder', (t) => {
  const elsewhere = makeHome(t)
  const { inputs: ofPages, all } = buildAssets(root)
  const inputs = [...ofPages, ...buildElementScript(root).inputs]
  const packages = all.flatMap((asset) => asset.packages.map((each) => each.split(' ')[0]))
  // The package.json files decide how modules are imported.
  const files = ['package.json', ...inputs, ...packages.map((name) => `node_modules/${name}/package.json`)]
  for (const input of files) cpSync(join(root, input), join(elsewhere, input), { recursive: true })
  const [here, there] = [root, elsewhere].map((folder) =>
    [...buildAssets(folder).all, buildElementScript(folder).asset].map(({ name, source, integrity }) => [
      name,
      source,
      integrity,
    ]),
  )
  assert.deepEqual(there, here)
})

it('every served file has its reason in docs/operate/payment-page.md', () => {
  for (const asset of [...allAssets(), elementScriptAsset()])
    assert.ok(assetReason(asset), `server/checkout/guard/page-inventory.ts says nothing of ${asset.source}`)
})
