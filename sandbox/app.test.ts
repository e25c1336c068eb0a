import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testBank } from '../testing/harness/bank.ts'
import { TestClock } from '../testing/harness/clock.ts'
import { testDatabase } from '../testing/harness/database.ts'

const { address } = await testBank({ sql: (await testDatabase()).sql, clock: new TestClock() })
const get = (path: string, accept: string, language = 'tr') =>
  fetch(address + path, { headers: { accept, 'accept-language': language } })

it('an address of the bank shows a browser a page that names the bank, and returns a program the envelope', async () => {
  for (const [path, status, allow] of [
    ['/', 404, null],
    ['/fim/est3Dgate', 405, 'POST'],
  ] as const) {
    for (const [language, title] of [
      ['tr', 'Burası Sandbox Bank'],
      ['en', 'This is Sandbox Bank'],
    ] as const) {
      const page = await get(path, 'text/html,*/*;q=0.8', language)
      assert.deepEqual([page.status, page.headers.get('allow')], [status, allow])
      assert.match(
        String(page.headers.get('content-security-policy')),
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'$/,
      )
      assert.equal(page.headers.get('set-cookie'), null)
      assert.ok((await page.text()).includes(title))
    }
    const answer = await get(path, '*/*')
    assert.equal(answer.status, status)
    assert.equal(((await answer.json()) as { status: boolean }).status, false)
  }
})

it('the bank serves /favicon.ico', async () => {
  assert.equal((await get('/favicon.ico', 'image/*')).headers.get('content-type'), 'image/x-icon')
})
