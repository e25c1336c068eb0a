import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { WrongUsage } from '../../kit/command-line/command.ts'
import { isRefusedFor, runTypedCommand } from '../../testing/harness/command-line.ts'
import { noise, png, svgPicture } from '../../testing/pictures/sample-pictures.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'
import { products } from '../../testing/resources/products.ts'

const { api, backend, create } = await openResourceFixture(products)
const folder = mkdtempSync(join(tmpdir(), 'image-'))
const image = (...words: string[]) => runTypedCommand(api.services, ['product', 'image', ...words])

it('sets and removes the image of a product of any merchant', async () => {
  const file = join(folder, 'a.png')
  writeFileSync(file, await png(20, 20))
  const { record, url } = await create()
  const output = await image(String(record.id), file)
  const { product_image: address } = (await backend.get(url)).json
  assert.ok(output.endsWith(`has this image: ${address}`), output)
  assert.match(await image(String(record.id), '--remove'), /has no image\.$/)
  assert.equal((await backend.get(url)).json.product_image, null)
  await assert.rejects(image(String(record.id)), WrongUsage)
  writeFileSync(file, svgPicture)
  await assert.rejects(image(String(record.id), file), isRefusedFor('file'))
  await backend.delete(url)
  for (const id of [String(record.id), '7']) await assert.rejects(image(id, file), isRefusedFor('product'))
})

it('reads an image from a pipe, which gives it in parts', async () => {
  const { record } = await create()
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const bytes = await noise(300, 300).png().toBuffer()
  const [output] = await Promise.all([image(String(record.id), pipe), writeFile(pipe, bytes)])
  assert.match(output, /has this image: http/)
})
