import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capacityMarkdown } from '../bench/capacity-page.ts'
import { openApiDocument } from '../kit/api/openapi.ts'
import type { Refusal } from '../kit/input/refusals.ts'
import { allRefusals, apiRoutes, refusalsOf } from '../server/api.ts'
import { pageInventoryMarkdown } from '../server/checkout/index.ts'
import { readConfig } from '../server/config.ts'
import { documentedWebhookMessages } from '../server/webhooks/index.ts'
import { commandsPage } from './commands-page.ts'
import { transactionCodesPage } from './transaction-codes-page.ts'

/** Generated documents. `--write` writes them; scripts/documents.test.ts fails when one is stale. */
const root = join(import.meta.dirname, '..')

export const documents: Record<string, () => string | Promise<string>> = {
  'openapi.json': () => {
    const { version, apiUrl } = readConfig({})
    const info = {
      version,
      url: apiUrl,
      language: 'en',
      refusalsOf,
      messages: documentedWebhookMessages,
    } as const
    const document = openApiDocument(apiRoutes, info)
    return `${JSON.stringify(document, null, 2)}\n`
  },
  'docs/operate/commands.md': commandsPage,
  'docs/integrate/transaction-codes.md': transactionCodesPage,
  'docs/errors.md': () => errorPage(allRefusals()),
  'docs/operate/payment-page.md': async () =>
    withSection('docs/operate/payment-page.md', 'inventory', await pageInventoryMarkdown()),
  'docs/operate/scale.md': () => withSection('docs/operate/scale.md', 'capacity', capacityMarkdown()),
}

export async function staleDocuments(): Promise<string[]> {
  const stale: string[] = []
  for (const [path, write] of Object.entries(documents)) if ((await write()) !== read(path)) stale.push(path)
  return stale
}

/** Text of a page with a section replaced between its markers. */
function withSection(path: string, name: string, made: string): string {
  const text = read(path) ?? ''
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start < 0 || end < 0) throw new Error(`${path} lacks ${opening} or ${closing}`)
  return `${text.slice(0, start)}${opening}\n\n${made}\n\n${text.slice(end)}`
}

function errorPage(refusals: Refusal[]): string {
  const rows = refusals.map(
    ({ code, status, when, en, tr }) => `| ${code} | ${status} | ${when.en} | ${en} | ${tr} |`,
  )
  return `# Errors

<!-- Written by scripts/documents.ts from the refusals in the code. -->

A failed request is answered with an envelope: \`status\` is false, \`data\` is null, \`error_code\` is a code of this table, and
\`message\` is its text in the language of the request. A code never changes its meaning; its text can change. \`errors\` holds
messages by parameter name if parameters or totals are wrong (901 and 902). Otherwise it is an empty list.

\`vezne explain 901\` prints the same for one code. Codes of declined payments are on [another
page](integrate/transaction-codes.md).

| error_code | HTTP | When | English | Türkçe |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return undefined
  }
}

if (process.argv[1] === import.meta.filename && process.argv.includes('--write')) {
  for (const [path, write] of Object.entries(documents)) writeFileSync(join(root, path), await write())
}
