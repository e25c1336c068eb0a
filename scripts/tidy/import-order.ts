/**
 * Layers of server/, lowest first. A file imports from its own module and from lower layers. Modules of one
 * layer do not import each other. ARCHITECTURE.md prints this list; `tidy.ts --write` writes it there.
 */
export const importOrder: readonly (readonly string[])[] = [
  ['database'],
  ['config.ts'],
  ['installation.ts'],
  ['connectors'],
  ['services.ts'],
  ['instances'],
  ['ledger'],
  ['pictures'],
  ['merchants'],
  ['idempotency'],
  ['events'],
  ['resources'],
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
    'create-merchant.ts',
    'distribute-database.ts',
    'demo-shop.ts',
  ],
  ['apps.ts'],
  ['explain-code.ts'],
  ['start.ts'],
  ['programs.ts'],
  ['help.ts'],
  ['execute-command.ts'],
  ['commands.ts'],
  ['main.ts'],
]

/** Folders with entry points: other folders import only their `index.ts`. */
export const featureFolders = importOrder.flat().filter((module) => !/\.ts$|^database$/.test(module))

/** Folders of kit/, lowest first, with the same rule. */
export const kitOrder: readonly (readonly string[])[] = [
  ['security'],
  ['runtime'],
  ['text'],
  ['money'],
  ['input'],
  ['api', 'http', 'outbound', 'command-line'],
]

/** Programs of the browser and of the merchant. They know only the interface of the service. */
export const clientPrograms = ['page', 'console', 'element', 'sdk', 'demo/page']

/** Programs that play other parties: they import kit/ only. In server/, only the listed files import them. */
export const strangers: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['sandbox-process.ts', 'sandbox-statement.ts', 'demo-shop.ts', 'start.ts'],
  'demo/server': ['demo-shop.ts'],
}

/** Folders of tools that use the service from outside. */
export const toolFolders = ['scripts', 'bench', 'e2e']

/** All folders of the repository that contain code. */
export const programs = [
  'server',
  'kit',
  'testing',
  ...Object.keys(strangers),
  ...clientPrograms,
  ...toolFolders,
]

export const isTest = (path: string) => path.endsWith('.test.ts')

/** True for code that runs on Node in the service or beside it, with injected services. */
export const isServiceCode = (path: string) => /^(?:server|kit|sandbox|demo\/server)\//.test(path)

/** Program of a file: its first folder, in demo/ its first two folders. */
export const programOf = (path: string) => /^(?:demo\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? ''

/**
 * Module of a file in server/: its folder, or its name if it is directly in server/. A test has the module of
 * the tested file.
 */
export function moduleOf(path: string): string | undefined {
  if (!path.startsWith('server/')) return undefined
  return path.split('/')[1]?.replace(/\.test\.ts$/, '.ts')
}

const opening = '<!-- import order -->'
const closing = '<!-- /import order -->'

/** Replaces the import order between its markers; undefined if the text has no markers. */
export function withImportOrder(text: string): string | undefined {
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start < 0 || end < 0) return undefined
  const floors = importOrder.map((floor) => floor.map((module) => `\`${module}\``).join(' '))
  const order = floors.map((floor) => (floor.includes(' ') ? `(${floor})` : floor)).join(' · ')
  return `${text.slice(0, start)}${opening}\n${order.replace(/(.{80,110}) · /g, '$1 ·\n')}\n${text.slice(end)}`
}
