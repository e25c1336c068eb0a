import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { makeHome } from '../testing/harness/embedded-home.ts'
import { root } from '../testing/harness/process.ts'
import { makeElementPackage } from './element-package.ts'

const run = promisify(execFile)

/** A shop in TypeScript that uses every export of the package. */
const shop = `
import type { Payment, PaymentError, PaymentOptions, Step } from '@vezne/element'
import { Vezne, VezneError } from '@vezne/element'

const vezne: Vezne = Vezne('pk_test_abc', { apiUrl: 'http://localhost:4242', language: 'en' })
const options: PaymentOptions = {
  amount: 18990,
  products: [{ product_name: 'Kahve', price: 18990 }],
  metadata: [{ key: 'order', value: 7 }],
  display: 'redirect',
}
const payment: Payment = vezne.payment(options)
const stop: () => void = payment.on('success', ({ transaction_id, status }) => {
  const known: [number, 'success' | 'pre_authorized'] = [transaction_id, status]
  return void known
})
const heard = ({ step }: { step: Step; transaction_id: number }): boolean => step === 'paid'
payment.on('change', heard)
payment.off('change', heard)
payment.on('error', (error: PaymentError) => void error.errors?.['amount']?.[0]?.length)
stop()
try {
  payment.mount('#pay').unmount()
} catch (error) {
  if (error instanceof VezneError && error.code === 'no_container') throw error
}
vezne.payment({ payment_page_url: 'https://pay.example/p/x' }).mount(document.body)
// @ts-expect-error there is no such event
payment.on('sucess', () => {})
// @ts-expect-error an amount has to be given
vezne.payment({ currency: 'TRY' })
// @ts-expect-error nor is there such a display
vezne.payment({ amount: 1, display: 'popup' })
`

/** A program on a server, where `document` does not exist. */
const onServer = `
import { Vezne, VezneError } from '@vezne/element'
const payment = Vezne('pk_test_abc', { apiUrl: 'https://api.example' }).payment({ amount: 1 })
payment.on('ready', () => {})
payment.unmount()
try {
  Vezne('sk_test_abc', { apiUrl: 'https://api.example' })
} catch (error) {
  console.log(error instanceof VezneError, error.code)
}
`

it('the package holds what its entry point needs, compiles in strict TypeScript, and can be imported on a server', async (t) => {
  const home = makeHome(t)
  const [made, user] = [join(home, 'made'), join(home, 'user')]
  await makeElementPackage(made)
  const own = JSON.parse(readFileSync(join(root, 'element', 'package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(own.version, version)
  const npm = { cwd: home, env: { ...process.env, npm_config_cache: join(home, 'cache') } }
  await run('npm', ['pack', './made', '--offline', '--silent'], npm)
  const installed = join(user, 'node_modules', '@vezne', 'element')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', `vezne-element-${version}.tgz`, '-C', installed, '--strip-components=1'], npm)
  assert.deepEqual(
    readdirSync(installed)
      .filter((name) => !name.endsWith('.d.ts'))
      .sort(),
    ['LICENSE', 'README.md', 'package.json', 'vezne.js'],
  )
  writeFileSync(join(user, 'package.json'), '{"type":"module"}')
  writeFileSync(join(user, 'shop.ts'), shop)
  writeFileSync(join(user, 'server.js'), onServer)
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--types', '']
  const tsc = (...words: string[]) =>
    run(join(root, 'node_modules', '.bin', 'tsc'), [...strict, ...words, 'shop.ts'], { cwd: user })
  const [, , { stdout }] = await Promise.all([
    tsc('--module', 'esnext', '--moduleResolution', 'bundler'),
    tsc('--module', 'nodenext', '--moduleResolution', 'nodenext'),
    run(process.execPath, ['server.js'], { cwd: user }),
  ]).catch((error: { stdout?: string; message: string }) => assert.fail(error.stdout || error.message))
  assert.equal(stdout, 'true secret_key\n')
})
