import type { LazyCommand, Print } from '../kit/command-line/command.ts'
import { binCommands } from './bins/commands.ts'
import { checkoutCommands } from './checkout/commands.ts'
import { readConfig } from './config.ts'
import type { CommandTerminal } from './execute-command.ts'
import { integrityCommands } from './integrity/commands.ts'
import { manualSettlementCommands } from './manual-settlement/commands.ts'
import { merchantCommands } from './merchants/commands.ts'
import { paymentHistoryCommands } from './payment-history/commands.ts'
import { paymentCommands } from './payments/commands.ts'
import { posCommands } from './pos/commands.ts'
import { productCommands } from './products/commands.ts'
import { reconciliationCommands } from './reconciliation/commands.ts'
import { refundCommands } from './refunds/commands.ts'
import type { Services } from './services.ts'
import type { ProgramContext } from './start.ts'
import { threeDsCommands } from './three-ds/commands.ts'
import { traceCommands } from './traces/commands.ts'
import { triggerCommands } from './trigger/commands.ts'
import { webhookCommands } from './webhooks/commands.ts'

/** Commands that run the service or a part of it, or need only its settings. */
const programs: readonly LazyCommand<ProgramContext>[] = [
  {
    name: 'start',
    about:
      'Runs the web apps and the background jobs. Without DATABASE_URL it also runs PostgreSQL, a demo merchant and the sandbox.',
    example: 'vezne start',
    load: async () => (await import('./programs.ts')).startCommand,
  },
  {
    name: 'serve',
    about: 'Runs only the web apps, for installations that run the background jobs elsewhere.',
    example: 'DATABASE_URL=postgres://… VEZNE_SECRET=… vezne serve',
    load: async () => (await import('./programs.ts')).serveCommand,
  },
  {
    name: 'work',
    about: 'Runs only the background jobs.',
    example: 'DATABASE_URL=postgres://… VEZNE_SECRET=… vezne work',
    load: async () => (await import('./programs.ts')).workCommand,
  },
  {
    name: 'sandbox',
    about: 'Runs only the sandbox bank, on the same database. Without DATABASE_URL, start runs it too.',
    example: 'DATABASE_URL=postgres://… VEZNE_SECRET=… vezne sandbox',
    load: async () => (await import('./sandbox-process.ts')).sandboxCommand,
  },
  {
    name: 'migrate',
    about: 'Migrates the database schema to the level of this program. Every start does this too.',
    example: 'vezne migrate',
    load: async () => (await import('./programs.ts')).migrateCommand,
  },
  {
    name: 'database distribute',
    about:
      'Distributes the tables of merchants over the workers of a Citus cluster. Everything is distributed or nothing; it can be run again.',
    example: 'vezne database distribute --shards 32',
    load: async () => (await import('./distribute-database.ts')).distributeDatabaseCommand,
  },
  ...checkoutCommands,
  {
    name: 'explain',
    about:
      'Explains a code: a transaction_code, the code of an attempt, or an error_code of the API. Needs no database.',
    example: 'vezne explain 51',
    load: async () => (await import('./explain-code.ts')).explainCodeCommand,
  },
]

/** Commands that perform one task on the database, with or without a running service. */
export const oneShotCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'merchant create',
    about:
      'Creates a merchant with a secret and a public key. The keys are shown only once. A test merchant gets two POS at the sandbox bank.',
    example: 'vezne merchant create --name "Kitap Evi" --live true --origins https://kitapevi.example',
    load: async () => (await import('./create-merchant.ts')).createMerchantCommand,
  },
  ...merchantCommands,
  ...productCommands,
  ...binCommands,
  ...posCommands,
  ...integrityCommands,
  ...paymentHistoryCommands,
  ...paymentCommands,
  ...manualSettlementCommands,
  ...refundCommands,
  ...reconciliationCommands,
  ...threeDsCommands,
  ...traceCommands,
  ...webhookCommands,
  {
    name: 'sandbox statement',
    about:
      'Writes the sandbox bank’s statement of a POS for one day as CSV: charges in their last state, and refunds.',
    example: 'vezne sandbox statement --pos 10000000000004 --day 2026-11-15 --file statement.csv',
    load: async () => (await import('./sandbox-statement.ts')).sandboxStatementCommand,
  },
  ...triggerCommands,
]

/** Every command, in the order of the help. */
export const commands: readonly LazyCommand<never>[] = [...programs, ...oneShotCommands]

/** Former command names and the new ones, which the refusal of a former name gives. */
const renamedCommands: Readonly<Record<string, string>> = {
  'payment conclude': 'payment settle-outcome',
  'payment settle': 'payment settle-difference',
}

/**
 * Runs the named command. Returns the exit code: 0 for success, 1 for failure, 2 for wrong arguments or a
 * wrong file. Only the called command is loaded, so the others cost no time.
 */
export async function runCommand(words: string[], terminal: CommandTerminal): Promise<number> {
  const { print, complain } = terminal
  const [first = 'help', ...others] = words
  if (first === 'help' || isHelp(first)) {
    const named = others.filter((word) => !isHelp(word))
    return showHelp(named, print, complain)
  }
  if (first === 'version' || first === '--version') {
    print(`vezne ${readConfig({}).version}`)
    return 0
  }
  const found = findCommand(words)
  if (!found && words[1] === '--help') return showHelp(words.slice(0, 1), print, complain)
  if (!found) {
    complain(noSuchCommand(words))
    return 2
  }
  if (found.rest.includes('--help')) return showHelp(found.name.split(' '), print, complain)
  const { executeCommand, runOneShot, runProgram } = await import('./execute-command.ts')
  return 'program' in found
    ? executeCommand(found.program, found.rest, terminal, runProgram)
    : executeCommand(found.oneShot, found.rest, terminal, runOneShot)
}

const isHelp = (word: string) => ['--help', '-h'].includes(word)

function findCommand(words: string[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const rest = words.slice(length)
    const isNamed = (listed: { name: string }) => listed.name === name
    const program = programs.find(isNamed)
    if (program) return { name, rest, program }
    const oneShot = oneShotCommands.find(isNamed)
    if (oneShot) return { name, rest, oneShot }
  }
  return undefined
}

/** Lists the verbs of a noun without a right verb. Other words are not repeated: they can be anything. */
function noSuchCommand([noun = '', verb]: string[]): string {
  const renamed = renamedCommands[`${noun} ${verb}`]
  if (renamed) return `"vezne ${noun} ${verb}" is now called "vezne ${renamed}".`
  const siblings = commands.map(({ name }) => name).filter((name) => name.startsWith(`${noun} `))
  if (siblings.length === 0) return `Unknown command "${noun}". To list all commands: vezne help`
  const known = siblings.map((name) => `vezne ${name}`).join(', ')
  return verb === undefined
    ? `The commands are: ${known}`
    : `Unknown command "${noun} ${verb}". The commands are: ${known}`
}

async function showHelp(words: string[], print: Print, complain: Print): Promise<number> {
  const wanted = words.join(' ')
  if (wanted === '') {
    print('Vezne, the cashier’s window: a self-hosted card payment service.\n')
    for (const { name, about, example } of commands) print(`vezne ${name}\n    ${about}\n    ${example}\n`)
    print(
      'To see the options of a command: vezne help COMMAND. The settings are in docs/operate/settings.md.',
    )
    return 0
  }
  const shown = commands.filter(({ name }) => name === wanted || name.startsWith(`${wanted} `))
  if (shown.length === 0) {
    complain(noSuchCommand(words))
    return 2
  }
  const { commandHelp } = await import('./help.ts')
  for (const each of shown) print(commandHelp(each, await each.load()))
  return 0
}
