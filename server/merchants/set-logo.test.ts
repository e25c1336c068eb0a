import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { WrongUsage } from '../../kit/command-line/command.ts'
import { testApi } from '../../testing/harness/api.ts'
import { isRefusedFor, runTypedCommand } from '../../testing/harness/command-line.ts'
import { noise, png, svgPicture } from '../../testing/pictures/sample-pictures.ts'

const api = await testApi()
const folder = mkdtempSync(join(tmpdir(), 'logo-'))
const logo = (...words: string[]) => runTypedCommand(api.services, ['merchant', 'logo', ...words])
const id = String(api.merchant.id)

function fileWith(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function shownLogo(): Promise<string | null | undefined> {
  await api.merchantCache.refresh()
  return (await api.merchantCache.merchant(api.merchant.id))?.logo
}

it('sets the logo of a merchant, prints its address, and removes it', async () => {
  const output = await logo(id, fileWith('a.png', await png(300, 100)))
  const [, path = ''] = /has this logo: http:\/\/localhost:4242(\/pictures\/\S+)\n/.exec(output) ?? []
  assert.equal((await api.call({ url: path })).status, 200)
  assert.ok(path.includes(String(await shownLogo())))
  assert.match(await runTypedCommand(api.services, ['merchant', 'show', id]), /^logo +set$/m)
  assert.match(await logo(id, '--remove'), /has no logo\.$/)
  assert.equal(await shownLogo(), null)
})

it('refuses a wrong file, and keeps the logo', async () => {
  const good = fileWith('b.png', await png(90, 90))
  await logo(id, good)
  const before = await shownLogo()
  const large = fileWith('large.png', await noise(700, 700).png().toBuffer())
  for (const file of [
    fileWith('svg.png', svgPicture),
    fileWith('empty.png', Buffer.alloc(0)),
    fileWith('wide.png', await png(1025, 2)),
    large,
    folder,
    join(folder, 'missing.png'),
  ])
    await assert.rejects(logo(id, file), isRefusedFor('file'), file)
  await assert.rejects(logo('1', good), isRefusedFor('merchant'))
  await assert.rejects(logo(id), WrongUsage)
  await assert.rejects(logo(id, large, '--remove'), WrongUsage)
  assert.equal(await shownLogo(), before)
})
