import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blockBelow, samplesIn } from './samples.ts'

const root = join(import.meta.dirname, '..')

/** docs/integrate/quick-start.md as a reader follows it, in a folder and with a port that are free for it. */
export interface QuickStart {
  /** What it has typed into shells, in its order: starting Vezne, the page's origin, the webhook, starting the shop. */
  start: string
  origin: string
  webhook: string
  shop: string
  /** How the server starts a payment instead of the browser. */
  startedByServer: string
  /** What the shop says in the end, without what differs from one payment to the next. */
  shopOutput: string[]
  /** The shop as a program, without what it serves. */
  program: string
  amount: number
}

/** Writes `shop.mjs` and `.vezne/demo.env`, as steps 1 and 4 leave them. */
export function followQuickStart(folder: string, demo: Record<string, string>, port: string): QuickStart {
  const source = readFileSync(join(root, 'docs/integrate/quick-start.md'), 'utf8')
  const document = source.replaceAll('localhost:3000', `localhost:${port}`)
  const [start = '', origin = '', webhook = '', shop = '', ...more] = samplesIn(document).map(
    ({ command }) => command,
  )
  if (more.length > 0) throw new Error('docs/integrate/quick-start.md has more commands than this file runs')
  const program = blockBelow(document, 'shop.mjs', 'js').text.replace('listen(3000', `listen(${port}`)
  writeFileSync(join(folder, 'shop.mjs'), program)
  mkdirSync(join(folder, '.vezne'))
  const lines = Object.entries(demo).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, '.vezne/demo.env'), lines.join(''))
  return {
    start,
    origin,
    webhook,
    shop,
    startedByServer: blockBelow(document, 'started by the server', 'js').text,
    shopOutput: blockBelow(document, 'what the shop says', '')
      .text.trim()
      .split('\n')
      .map(withoutTransactionId),
    program,
    amount: Number(/const price = (\d+)/.exec(program)?.[1]),
  }
}

/** Without the id of the transaction. */
export function withoutTransactionId(line: string): string {
  return line.replace(/\b\d{14}\b/, '(id)')
}
