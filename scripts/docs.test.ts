import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeHome } from '../server/testing/embedded-home.ts'
import { freePorts, root, startProcess } from '../server/testing/process.ts'
import type { Sample } from './samples.ts'
import { assertAsShown, samplesIn } from './samples.ts'

const samplesOf = (page: string) =>
  samplesIn(readFileSync(join(root, 'docs', 'integrate', `${page}.md`), 'utf8'))

const endOfSample = '--- end of a sample ---'

/** All samples of a page for one shell, which stops at the first that fails. Only what they answer is written. */
function scriptOf(samples: readonly Sample[]): string {
  const quiet = 'curl() { command curl -sS --fail-with-body "$@"; }'
  const parts = samples.map(({ command }) => `${command}\necho; echo '${endOfSample}'`)
  return ['set -e', quiet, ...parts].join('\n')
}

it('the samples of docs/integrate work in their order, and answer what is shown beside them', async (t) => {
  const home = makeHome(t)
  const env = { ...(await freePorts()), VEZNE_HOME: home }
  const service = startProcess(t, ['npm', 'start'], env)
  await service.says('"msg":"ready"')

  const [firstCall, keepToken, ...others] = samplesOf('tokens')
  assert.ok(firstCall && keepToken && others.length === 0)
  const counts: Record<string, number> = {}
  for (const page of ['tokens', 'customers', 'products', 'search']) {
    const samples = page === 'tokens' ? [firstCall, keepToken] : [keepToken, ...samplesOf(page)]
    counts[page] = samples.filter(({ answer }) => answer).length
    const shell = startProcess(t, ['sh', '-c', `. "${home}/demo.env"\n${scriptOf(samples)}`], env, home)
    assert.equal(await shell.ended, 0, `${page}: ${shell.output()}`)
    const outputs = shell.output().split(endOfSample)
    for (const [index, { answer }] of samples.entries()) {
      if (answer) assertAsShown((outputs[index] ?? '').trim(), answer)
    }
  }
  assert.deepEqual(counts, { tokens: 1, customers: 2, products: 2, search: 1 }, 'what is shown is compared')
  assert.equal(await service.end('SIGINT'), 0)
})
