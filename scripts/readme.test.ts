import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeHome } from '../server/testing/embedded-home.ts'
import { freePorts, root, startProcess } from '../server/testing/process.ts'
import { assertAsShown, samplesIn } from './samples.ts'

const samples = samplesIn(readFileSync(join(root, 'README.md'), 'utf8'))
const blocks = samples.map(({ command }) => command)

it('the README’s commands work, in its order, on a home of their own', async (t) => {
  const [start = '', token = '', ...rest] = blocks
  const [records = '', cards = '', payment = '', result = '', refund = '', webhook = '', ...more] = rest
  const [test = '', commands = '', ...others] = more
  assert.deepEqual([start, test, others], ['npm start\n', 'npm test\n', []], 'every block is run here')
  assert.match(readFileSync(join(root, '.ci', 'run'), 'utf8'), /^npm test$/m)

  const home = makeHome(t)
  const folder = makeHome(t)
  symlinkSync(home, join(folder, '.vezne'))
  symlinkSync(join(root, 'vezne'), join(folder, 'vezne'))
  const env = { ...(await freePorts()), VEZNE_HOME: home }
  const service = startProcess(t, ['sh', '-c', `exec ${start}`], env)
  await service.says('"msg":"ready"')

  const quiet = (block: string) => block.replaceAll(/^curl /gm, 'curl -s ')
  const curl = startProcess(t, ['sh', '-ec', quiet(token)], env, folder)
  assert.equal(await curl.ended, 0)
  const shown = samples[1]?.answer
  assert.ok(shown, 'the README shows what the first call answers')
  assertAsShown(curl.output(), shown)

  const { API_PORT: unused } = await freePorts()
  const told = webhook.replace('localhost:3000', `localhost:${unused}`)
  const calls = [records, cards, payment, result, refund, told].map(quiet).join('\n')
  const sameTerminal = `. .vezne/demo.env\n${calls}`
  const shop = startProcess(t, ['sh', '-ec', sameTerminal], env, folder)
  assert.equal(await shop.ended, 0)
  assert.match(shop.output(), /"name_lastname":"Ayşe Işık".*"formatted_price":"189,90".*\[\{"id".*"Işık"/s)
  assert.match(shop.output(), /"bank_name":"Garanti BBVA".*"installment":12,"commission_rate":13.89/s)
  assert.match(
    shop.output(),
    /"payment_page_url":"http:\/\/localhost:\d+\/p\/[\w-]{38}".*"payment_status_text":"waiting"/s,
  )
  // Nobody has paid it here, so nothing of it can be given back, and nothing is told.
  assert.match(shop.output(), /"error_code":931,"data":null\}\[\]\{"id":.*"secret":"whsec_.{44}"\}\[\]$/)

  const errands = startProcess(t, ['sh', '-ec', commands], env, folder)
  assert.equal(await errands.ended, 0)
  assert.match(errands.output(), /Kitap Evi.*Deneme World POS.*Demo Mağaza, 100\.00 TRY.*86\.11/s)
  assert.equal(await service.end('SIGINT'), 0)
})
