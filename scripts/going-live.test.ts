import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { runVezne } from '../testing/harness/command-line.ts'
import { testDatabase } from '../testing/harness/database.ts'
import { makeHome } from '../testing/harness/embedded-home.ts'
import { root } from '../testing/harness/process.ts'
import { blockBelow } from './samples.ts'

const document = readFileSync(join(root, 'docs/integrate/going-live.md'), 'utf8')

/** Commands of a block, each split into words. */
function commandsOf(mark: string): string[][] {
  const lines = blockBelow(document, mark, '').text.split('\n')
  const typed = lines.filter((line) => line.startsWith('$ ./vezne ')).map((line) => line.slice(10))
  return typed.map((line) =>
    [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ''),
  )
}

it('the commands of docs/integrate/going-live.md create a live merchant that can be paid', async (t) => {
  const { url } = await testDatabase()
  const folder = makeHome(t)
  const secrets = join(folder, 'isbank.secrets')
  writeFileSync(secrets, 'client_id=700655000200\nname=api\npassword=geheim\nstore_key=anahtar\n')
  const env = {
    DATABASE_URL: url,
    VEZNE_SECRET: 'a secret for tests, long enough for it',
    VEZNE_HOME: folder,
  }
  const ids = new Map<string, string>()
  const outputs: string[] = []
  for (const mark of ['the merchant', 'a key', 'the bank', 'refunds'])
    for (const shown of commandsOf(mark)) {
      const words = shown.map((word) => (word === 'isbank.secrets' ? secrets : (ids.get(word) ?? word)))
      const { code, output } = await runVezne(words, env)
      assert.equal(code, 0, `${words.join(' ')}: ${output}`)
      if (mark === 'the merchant') ids.set('10000000001001', /^merchant +(\d+)/.exec(output)?.[1] ?? '')
      if (words[0] === 'pos') ids.set('10000000002001', /^id +(\d+)/.exec(output)?.[1] ?? '')
      outputs.push(output)
    }
  const [merchant = '', key = '', , , offer = '', policy = ''] = outputs
  assert.match(
    merchant,
    /^merchant +\d+ +Kitap Evi \(live\)\nsecret key +sk_live_\w+\npublic key +pk_live_\w+\nStore the /,
  )
  assert.match(key, /sk_live_/)
  assert.match(offer, /^6 .*İşbank/m)
  assert.match(policy, /^policy +automatic$/m)
})
