import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blockBelow, samplesIn } from './samples.ts'

const root = join(import.meta.dirname, '..')

/** Steps of docs/integrate/quick-start.md, run in a free folder and on a free port. */
export interface QuickStart {
  /**
   * Shell commands in order: start Vezne, register the page's origin, register the webhook, start the shop.
   */
  start: string
  origin: string
  webhook: string
  shop: string
  /** Program text of the shop that starts the payment on its server. */
  startedByServer: string
  /** Last output of the shop, without transaction ids. */
  shopOutput: string[]
  /** Program text of the shop. */
  program: string
  amount: number
}

/** Writes `shop.mjs` and `.vezne/demo.env`, the results of steps 1 and 4. */
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
    startedByServer: startingOnTheServer(document, program),
    shopOutput: blockBelow(document, 'what the shop says', '')
      .text.trim()
      .split('\n')
      .map(withoutTransactionId),
    program,
    amount: Number(/const price = (\d+)/.exec(program)?.[1]),
  }
}

/** Makes the three changes of the section about the price. */
function startingOnTheServer(document: string, program: string): string {
  const block = (mark: string) => blockBelow(document, mark, 'js').text
  const changes: [RegExp, string][] = [
    [/^(?=async function answer)/m, `${block('started by the server')}\n`],
    [/^ +const products = .*\n +const payment = .*\n/m, block('the line of the page')],
    [/^ {2}response\.setHeader\('Content-Type'.*\n(?=\}$)/m, block('the last lines of answer')],
  ]
  return changes.reduce((text, [place, lines]) => {
    if (!place.test(text)) throw new Error(`shop.mjs of the quick start has no ${place}`)
    return text.replace(place, () => lines)
  }, program)
}

export function withoutTransactionId(line: string): string {
  return line.replace(/\b\d{14}\b/, '(id)')
}
