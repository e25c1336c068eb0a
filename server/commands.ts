import { binCommands } from './bins/index.ts'
import { verifyPageCommand } from './checkout/index.ts'
import type { Config, Environment } from './config.ts'
import { readConfig } from './config.ts'
import { assertCurrent } from './database/migrate.ts'
import type { Command, Print } from './kit/command.ts'
import { command, optionOf, readArguments, WrongUsage } from './kit/command.ts'
import { record } from './kit/fields.ts'
import type { LogOptions, LogOutput } from './kit/log.ts'
import { openLog } from './kit/log.ts'
import { Refused } from './kit/refusals.ts'
import { listenForSignals } from './kit/signals.ts'
import { CommitUnknown, DatabaseUnavailable } from './kit/sql.ts'
import { terminalColumns } from './kit/table.ts'
import { UnreadableFile } from './kit/whole-lines.ts'
import { merchantCommands } from './merchants/index.ts'
import { paymentCommands } from './payments/index.ts'
import { posCommands } from './pos/index.ts'
import { reconciliationCommands } from './reconciliation/index.ts'
import { concludePaymentCommand, refundCommands } from './refunds/index.ts'
import { runSandbox } from './sandbox-process.ts'
import { sandboxStatementCommand } from './sandbox-statement.ts'
import type { Services } from './services.ts'
import { openServices } from './services.ts'
import type { ProgramContext } from './start.ts'
import { runUntilTold } from './start.ts'
import { threeDsCommands } from './three-ds/index.ts'
import { traceCommands } from './traces/index.ts'
import { triggerEventCommand } from './trigger/index.ts'
import { webhookCommands } from './webhooks/index.ts'

/** Commands that run the service, or parts of it, or need no more than its settings. */
const programs: Command<ProgramContext>[] = [
  command({
    name: 'start',
    about:
      'Runs everything: web apps, jobs and, without DATABASE_URL, PostgreSQL, a demo merchant and the sandbox.',
    example: 'vezne start',
    input: record({}),
    run: (context: ProgramContext) => runUntilTold(context, { web: true, work: true, sandbox: true }),
  }),
  command({
    name: 'serve',
    about: 'Runs the web apps alone, for installations that do the background jobs elsewhere.',
    example: 'DATABASE_URL=postgres://… VEZNE_SECRET=… vezne serve',
    input: record({}),
    run: (context: ProgramContext) => runUntilTold(context, { web: true, work: false }),
  }),
  command({
    name: 'work',
    about: 'Runs the background jobs alone.',
    example: 'DATABASE_URL=postgres://… VEZNE_SECRET=… vezne work',
    input: record({}),
    run: (context: ProgramContext) => runUntilTold(context, { web: false, work: true }),
  }),
  command({
    name: 'sandbox',
    about: 'Runs the sandbox bank alone, on the same database. Without DATABASE_URL, start does so too.',
    example: 'DATABASE_URL=postgres://… VEZNE_SECRET=… vezne sandbox',
    input: record({}),
    run: (context: ProgramContext) => runSandbox(context),
  }),
  command({
    name: 'migrate',
    about: 'Brings the schema of the database to the level of this program. Every start does so too.',
    example: 'vezne migrate',
    input: record({}),
    run: async ({ config, log }: ProgramContext, _input, print) => {
      const services = await openServices(config, log, 'visitor')
      try {
        const { level } = await services.migrate()
        print(`The schema is at level ${level}.`)
      } finally {
        await services.close()
      }
    },
  }),
  verifyPageCommand,
]

/** Commands that do one thing, on the same database as a running service, or alone. */
const errands: Command<Services>[] = [
  ...merchantCommands,
  ...binCommands,
  ...posCommands,
  ...paymentCommands,
  concludePaymentCommand,
  ...refundCommands,
  ...reconciliationCommands,
  ...threeDsCommands,
  ...traceCommands,
  ...webhookCommands,
  sandboxStatementCommand,
  triggerEventCommand,
]

/** Where a command is typed: what is set there, and where its answers and complaints are read. */
export interface Terminal {
  env: Environment
  isTerminal: boolean
  print: Print
  complain: Print
  /** Where the log of an errand goes; to the standard error output unless told otherwise. */
  log?: NonNullable<LogOptions['stream']>
}

/** Runs the command that the words name. Answers the exit code: 0, 1 when it failed, 2 when the words or the file are wrong. */
export async function runCommand(words: string[], terminal: Terminal): Promise<number> {
  const { env, isTerminal, print, complain } = terminal
  if (words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')) {
    return showHelp(words.slice(1), print, complain)
  }
  if (words[0] === 'version' || words[0] === '--version') {
    print(`vezne ${readConfig({}).version}`)
    return 0
  }
  const found = findCommand(words)
  if (!found && words[1] === '--help') return showHelp(words.slice(0, 1), print, complain)
  if (!found) {
    complain(noSuchCommand(words))
    return 2
  }
  if (found.rest.includes('--help')) return showHelp(found.command.name.split(' '), print, complain)
  try {
    const input = readArguments(found.rest, found.command as Command<never>)
    await run(found, input, readConfig(env, isTerminal), terminal)
    return 0
  } catch (error) {
    return explain(error, found.command, complain)
  }
}

type Found =
  | { command: Command<ProgramContext>; isProgram: true; rest: string[] }
  | { command: Command<Services>; isProgram: false; rest: string[] }

function findCommand(words: string[]): Found | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const rest = words.slice(length)
    const program = programs.find((candidate) => candidate.name === name)
    if (program) return { command: program, isProgram: true, rest }
    const errand = errands.find((candidate) => candidate.name === name)
    if (errand) return { command: errand, isProgram: false, rest }
  }
  return undefined
}

/** Of a noun without a verb, or with a wrong one, the verbs are told. What else was typed is not: it may be anything. */
function noSuchCommand([noun = '', verb]: string[]): string {
  const siblings = [...programs, ...errands]
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${noun} `))
  if (siblings.length === 0) return `There is no command "${noun}". All commands: vezne help`
  const known = siblings.map((name) => `vezne ${name}`).join(', ')
  return verb === undefined
    ? `There are: ${known}`
    : `There is no command "${noun} ${verb}". There are: ${known}`
}

async function run(found: Found, input: unknown, config: Config, terminal: Terminal): Promise<void> {
  const { print, log: stream } = terminal
  if (found.isProgram) {
    const output = await openLog({ level: config.logLevel, format: config.logFormat })
    endOnBugs(output)
    try {
      await found.command.run({ config, log: output.log }, input, print, never)
    } finally {
      await output.flush()
    }
    return
  }
  // An errand answers on the standard output; of the log, only trouble matters to whoever ran it.
  const { log } = await openLog({ level: 'warn', format: 'pretty', descriptor: 2, ...(stream && { stream }) })
  const services = await openServices(config, log, 'visitor')
  try {
    // A database of the operator's own is not moved forward by the way: a newer program may just be looking.
    await (config.databaseUrl === undefined ? services.migrate() : assertCurrent(services.sql))
    await (found.command.isEndless ? runUntilEnded : runOnce)(found.command, services, input, print)
  } finally {
    await services.close()
  }
}

/** A program hears of its end by itself, and an errand has one. */
const never = new AbortController().signal

async function runOnce(errand: Command<Services>, services: Services, input: unknown, print: Print) {
  await errand.run(services, input, print, never)
}

/** Whoever says it a second time does not want to wait for the end. */
async function runUntilEnded(errand: Command<Services>, services: Services, input: unknown, print: Print) {
  const signals = listenForSignals()
  const ending = new AbortController()
  void signals.first.then(() => ending.abort())
  try {
    await Promise.race([
      errand.run(services, input, print, ending.signal),
      signals.second.then((signal) => {
        throw new Error(`Told to end twice (${signal}).`)
      }),
    ])
  } finally {
    signals.forget()
  }
}

/** An error that nobody caught leaves the program in a state that nobody thought of: log it and end. */
function endOnBugs({ log, flush }: LogOutput): void {
  const end = (err: unknown) => {
    log.error({ err }, 'a bug that nobody caught; ending')
    void flush().finally(() => process.exit(1))
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

function explain(
  error: unknown,
  { name, places }: Pick<Command<never>, 'name' | 'places'>,
  complain: Print,
): number {
  if (error instanceof WrongUsage) {
    complain(error.message)
    complain(`How to use it: vezne help ${name}`)
    return 2
  }
  if (error instanceof Refused) {
    if (!error.complaints) complain(error.refusal.en)
    for (const [parameter, sentences] of error.complaints ?? []) {
      complain(`${shownName(parameter, places)}: ${sentences.map((sentence) => sentence.en).join(' ')}`)
    }
    complain(`How to use it: vezne help ${name}`)
    return 2
  }
  if (error instanceof UnreadableFile) {
    complain(error.message)
    return 2
  }
  if (error instanceof CommitUnknown) {
    complain(
      'The connection was lost at the very end: it may have been done, or not. Look before you try again.',
    )
    return 1
  }
  if (error instanceof DatabaseUnavailable) {
    complain(`The database cannot be reached: ${error.message}. DATABASE_URL says where it is.`)
    return 1
  }
  complain(error instanceof Error ? error.message : String(error))
  return 1
}

function showHelp(words: string[], print: Print, complain: Print): number {
  const all = [...programs, ...errands]
  const wanted = words.join(' ')
  const shown = all.filter(({ name }) => name === wanted || name.startsWith(`${wanted} `))
  if (wanted === '') {
    print('Vezne, the cashier’s window: a self-hosted card payment service.\n')
    for (const { name, about, example } of all) print(`vezne ${name}\n    ${about}\n    ${example}\n`)
    print('vezne help COMMAND shows the options of a command. The settings are in docs/operate/settings.md.')
    return 0
  }
  if (shown.length === 0) {
    complain(`There is no command "${wanted}". All commands: vezne help`)
    return 2
  }
  for (const each of shown) print(describe(each))
  return 0
}

function describe({
  name,
  about,
  example,
  places,
  input,
}: Pick<Command<never>, 'name' | 'about' | 'example' | 'places' | 'input'>): string {
  const fields = Object.entries(input.properties) as [
    string,
    { type?: string; description?: string; enum?: string[] },
  ][]
  const required = input.required ?? []
  const options = fields.map(([field, schema]) => {
    const values = schema.enum ? ` One of ${schema.enum.join(', ')}.` : ''
    const must = required.includes(field) ? ' Required.' : ''
    const usage = `  ${usageOf(field, schema.type, places).padEnd(33)} `
    return wrapped(`${usage}${schema.description ?? ''}${values}${must}`, 36)
  })
  const usage = ['vezne', name, ...places.map((place) => place.toUpperCase())].join(' ')
  return [`${usage}\n\n${wrapped(about, 0)}\n`, ...options, `\nExample: ${example}\n`].join('\n')
}

/** The text in lines that fit; those behind the first begin so far from the left. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = []
  let rest = text
  while (rest.length > terminalColumns) {
    const end = rest.lastIndexOf(' ', terminalColumns)
    if (end <= indent) break
    lines.push(rest.slice(0, end))
    rest = ' '.repeat(indent) + rest.slice(end + 1)
  }
  return [...lines, rest].join('\n')
}

/** Of an option that is given more than once, which of its values is meant: `--rate (value 2)`. */
function shownName(parameter: string, places: readonly string[]): string {
  const [field = '', index] = parameter.split('.')
  const name = places.includes(field) ? field.toUpperCase() : `--${optionOf(field)}`
  return index === undefined ? name : `${name} (value ${Number(index) + 1})`
}

function usageOf(field: string, type: string | undefined, places: readonly string[]): string {
  if (places.includes(field)) return shownName(field, places)
  const value = type === 'boolean' ? '[true|false]' : type === 'integer' ? 'N' : '…'
  return `${shownName(field, places)} ${value}${type === 'array' ? ' (more than once)' : ''}`
}
