/**
 * Where code stands in server/, lowest first: a file imports from its own place and from floors before it. Places on one
 * floor do not import each other. ARCHITECTURE.md prints this list; `tidy.ts --write` writes it there.
 */
export const importOrder: readonly (readonly string[])[] = [
  ['database'],
  ['config.ts'],
  ['installation.ts'],
  ['connectors'],
  ['services.ts'],
  ['instances'],
  ['ledger'],
  ['merchants'],
  ['idempotency'],
  ['pictures'],
  ['events'],
  ['customers'],
  ['products'],
  ['bins'],
  ['pos'],
  ['balance'],
  ['cards'],
  ['traces'],
  ['payments'],
  ['three-ds'],
  ['refunds'],
  ['manual-settlement'],
  ['payment-history'],
  ['integrity'],
  ['reconciliation'],
  ['checkout'],
  ['transaction-codes'],
  ['webhooks'],
  ['trigger'],
  ['reference'],
  ['request-pipeline.ts'],
  ['sandbox-pid-file.ts'],
  [
    'api.ts',
    'page.ts',
    'console.ts',
    'metrics.ts',
    'jobs.ts',
    'sandbox-supervisor.ts',
    'sandbox-process.ts',
    'sandbox-statement.ts',
    'demo-shop.ts',
  ],
  ['apps.ts', 'explain-code.ts'],
  ['start.ts'],
  ['programs.ts'],
  ['help.ts'],
  ['execute-command.ts'],
  ['commands.ts'],
  ['main.ts'],
]

/** Folders with a door: from outside, only their `index.ts` is imported. */
export const featureFolders = importOrder.flat().filter((module) => !/\.ts$|^database$/.test(module))

/** Folders of kit/, lowest first, by the same rule. */
export const kitOrder: readonly (readonly string[])[] = [
  ['security'],
  ['runtime'],
  ['text'],
  ['money'],
  ['input'],
  ['api', 'http', 'outbound', 'command-line'],
]

/** Programs of the browser and of the merchant, which know the service by its interface alone. */
export const clientPrograms = ['page', 'console', 'element', 'sdk', 'demo/page']

/** Programs that play strangers: they import kit/ alone. Of server/, these files alone import them. */
export const strangers: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['sandbox-process.ts', 'sandbox-statement.ts', 'demo-shop.ts', 'start.ts'],
  'demo/server': ['demo-shop.ts'],
}

/** The folders that work on the service from outside and are no part of it. */
export const toolFolders = ['scripts', 'bench', 'e2e']

/** Every folder of the repository that holds code. */
export const programs = [
  'server',
  'kit',
  'testing',
  ...Object.keys(strangers),
  ...clientPrograms,
  ...toolFolders,
]

export const isTest = (path: string) => path.endsWith('.test.ts')

/** Whether it runs in the service or beside it as a stranger, on Node and with what it is handed. */
export const isServiceCode = (path: string) => /^(?:server|kit|sandbox|demo\/server)\//.test(path)

/** The program that a file belongs to: its first folder, and of the demo shop its second too. */
export const programOf = (path: string) => /^(?:demo\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? ''

/** The place of a file in server/: its folder, or its own name, where a test stands at the place of what it tests. */
export function moduleOf(path: string): string | undefined {
  if (!path.startsWith('server/')) return undefined
  return path.split('/')[1]?.replace(/\.test\.ts$/, '.ts')
}

const opening = '<!-- import order -->'
const closing = '<!-- /import order -->'

/** The text with the import order printed between its markers, or undefined when it has no markers. */
export function withImportOrder(text: string): string | undefined {
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start < 0 || end < 0) return undefined
  const floors = importOrder.map((floor) => floor.map((module) => `\`${module}\``).join(' '))
  const order = floors.map((floor) => (floor.includes(' ') ? `(${floor})` : floor)).join(' · ')
  return `${text.slice(0, start)}${opening}\n${order.replace(/(.{80,110}) · /g, '$1 ·\n')}\n${text.slice(end)}`
}
