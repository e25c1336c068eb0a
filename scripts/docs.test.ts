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

/** The samples of the page at `/docs` that need no id, in its order, as a reader copies them. */
async function samplesOfPage(address: string, language: 'curl' | 'node'): Promise<string[]> {
  const page = await (await fetch(`${address}/docs`)).text()
  const samples = [
    ...page.matchAll(/<section class="entry operation"[^>]*data-path="([^"]+)".*?<\/section>/gs),
  ]
  return samples.flatMap(([section, path = '']) => {
    const code = new RegExp(`<pre data-language="${language}".*?</pre>`, 's').exec(section)?.[0] ?? ''
    const text = code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&#(\d+);/g, (_sign, number) => String.fromCharCode(number))
    return path.includes('{') ? [] : [text]
  })
}

it('the samples of docs/integrate and of /docs work in their order, and answer what is shown beside them', async (t) => {
  const home = makeHome(t)
  const env = { ...(await freePorts()), VEZNE_HOME: home }
  const service = startProcess(t, ['npm', 'start'], env)
  await service.says('"msg":"ready"')

  const [firstCall, keepToken, ...others] = samplesOf('tokens')
  assert.ok(firstCall && keepToken && others.length === 0)
  const counts: Record<string, number> = {}
  for (const page of [
    'tokens',
    'customers',
    'products',
    'payments',
    'three-d-secure',
    'search',
    'bin-lookup',
    'commissions',
  ]) {
    const samples = page === 'tokens' ? [firstCall, keepToken] : [keepToken, ...samplesOf(page)]
    counts[page] = samples.filter(({ answer }) => answer).length
    const shell = startProcess(t, ['sh', '-c', `. "${home}/demo.env"\n${scriptOf(samples)}`], env, home)
    assert.equal(await shell.ended, 0, `${page}: ${shell.output()}`)
    const outputs = shell.output().split(endOfSample)
    for (const [index, { answer }] of samples.entries()) {
      if (answer) assertAsShown((outputs[index] ?? '').trim(), answer)
    }
  }
  const address = `http://localhost:${env.API_PORT}`
  const curls = (await samplesOfPage(address, 'curl')).map((command) => ({ command, answer: undefined }))
  const [forToken = '', ...calls] = await samplesOfPage(address, 'node')
  assert.ok(curls.length === 8 && calls.length === 7)
  const shell = ['sh', '-c', `. "${home}/demo.env"\n${scriptOf(curls)}`]
  const nodes = calls.map((call) => {
    const check = 'if (!response.ok) throw new Error(JSON.stringify(answer))'
    const script = [forToken, call, check].join('\n')
    return [process.execPath, `--env-file=${home}/demo.env`, '--input-type=module', '-e', script]
  })
  for (const command of [shell, ...nodes]) {
    const pasted = startProcess(t, command, env, home)
    assert.equal(await pasted.ended, 0, `/docs: ${pasted.output()}`)
  }
  const shown = {
    tokens: 1,
    customers: 2,
    products: 2,
    payments: 2,
    'three-d-secure': 0,
    search: 1,
    'bin-lookup': 1,
    commissions: 1,
  }
  assert.deepEqual(counts, shown, 'what is shown is compared')
  assert.equal(await service.end('SIGINT'), 0)
})
