import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeHome } from '../server/testing/embedded-home.ts'
import { freePorts, root, startProcess } from '../server/testing/process.ts'

/** The commands of the README, one text per block, as a reader would copy them. */
const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, block = '']) => block,
)

it('the README’s commands work, in its order, on a home of their own', async (t) => {
  const [start = '', token = '', test = '', commands = '', ...others] = blocks
  assert.deepEqual([start, test, others], ['npm start\n', 'npm test\n', []], 'every block is run here')
  assert.match(readFileSync(join(root, '.ci', 'run'), 'utf8'), /^npm test$/m)

  const home = makeHome(t)
  const folder = makeHome(t)
  symlinkSync(home, join(folder, '.vezne'))
  symlinkSync(join(root, 'vezne'), join(folder, 'vezne'))
  const env = { ...(await freePorts()), VEZNE_HOME: home }
  const service = startProcess(t, ['bash', '-c', start], env)
  await service.says('"msg":"ready"')

  const curl = startProcess(t, ['bash', '-ec', token.replace('curl ', 'curl -s ')], env, folder)
  assert.equal(await curl.ended, 0)
  const answer = JSON.parse(curl.output())
  const shown = JSON.parse(
    /^```json\n(.*?)^```$/ms.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '',
  )
  assert.deepEqual(Object.keys(answer.data), Object.keys(shown.data))
  assert.deepEqual(
    { ...answer, data: null },
    { ...shown, data: null },
    'the answer is as the README shows it',
  )

  const errands = startProcess(t, ['bash', '-ec', commands], env, folder)
  assert.equal(await errands.ended, 0)
  assert.match(errands.output(), /Kitap Evi/)
  assert.equal(await service.end('SIGINT'), 0)
})
