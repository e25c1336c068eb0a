import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../kit/api/openapi.ts'
import type { Refusal } from '../kit/input/refusals.ts'
import { pipelineRefusals } from '../kit/input/refusals.ts'
import { apiRoutes, refusalsOf } from '../server/api.ts'
import { pageInventoryMarkdown } from '../server/checkout/index.ts'
import { readConfig } from '../server/config.ts'
import { documentedWebhookMessages } from '../server/webhooks/index.ts'

/** The documents that are written by program. `--write` writes them; the test of this file fails when one is stale. */
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
  'docs/errors.md': () => errorPage(allRefusals()),
  'docs/operate/payment-page.md': async () =>
    withInventory(read('docs/operate/payment-page.md') ?? '', await pageInventoryMarkdown()),
}

export function allRefusals(): Refusal[] {
  const all = new Set([...pipelineRefusals, ...apiRoutes.flatMap((route) => route.refusals)])
  return [...all].sort((a, b) => a.code - b.code || a.status - b.status)
}

export async function staleDocuments(): Promise<string[]> {
  const stale: string[] = []
  for (const [path, write] of Object.entries(documents)) if ((await write()) !== read(path)) stale.push(path)
  return stale
}

/** The text with the inventory between its markers. */
function withInventory(text: string, made: string): string {
  const [opening, closing] = ['<!-- inventory -->', '<!-- /inventory -->']
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start < 0 || end < 0)
    throw new Error('docs/operate/payment-page.md lacks <!-- inventory --> or <!-- /inventory -->')
  return `${text.slice(0, start)}${opening}\n\n${made}\n\n${text.slice(end)}`
}

function errorPage(refusals: Refusal[]): string {
  const rows = refusals.map(
    ({ code, status, when, en, tr }) => `| ${code} | ${status} | ${when.en} | ${en} | ${tr} |`,
  )
  return `# Errors

<!-- Written by scripts/documents.ts from the refusals in the code. -->

A failure is answered in the envelope: \`status\` false, \`data\` null, \`error_code\` from this table, and \`message\`
in the language asked for. A code never changes its meaning; the text may. \`errors\` is an object of parameter names
and messages for wrong parameters and totals (901 and 902), and an empty list otherwise.

| error_code | HTTP | When | English | Türkçe |
|---|---|---|---|---|
${rows.join('\n')}

Codes that are in no row belong to endpoints that are still to come.
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
