import type { Command, LazyCommand, Print } from '../kit/command-line/command.ts'
import { readArguments, WrongUsage } from '../kit/command-line/command.ts'
import { Refused } from '../kit/input/refusals.ts'
import type { LogOptions, LogWithFlush } from '../kit/runtime/log.ts'
import { openLog, warningAndErrorLog } from '../kit/runtime/log.ts'
import { listenForShutdownSignals } from '../kit/runtime/signals.ts'
import { CommitUnknown, DatabaseUnavailable, WorkerUnavailable } from '../kit/runtime/sql.ts'
import { UnreadableFile } from '../kit/text/file-lines.ts'
import type { Config, Environment } from './config.ts'
import { readConfig } from './config.ts'
import { assertSchemaMigrated } from './database/migrate.ts'
import { shownParameter } from './help.ts'
import { assertClockRight, watchUpcomingWork } from './instances/index.ts'
import type { Services } from './services.ts'
import type { ProgramContext } from './start.ts'

/** Terminal of a command: its environment, its output and its error output. */
export interface CommandTerminal {
  env: Environment
  isTerminal: boolean
  print: Print
  complain: Print
  /** Stream for the log of a one-shot command; the default is standard error. */
  log?: NonNullable<LogOptions['stream']>
}

type Run<Context> = (
  command: Command<Context>,
  input: unknown,
  config: Config,
  terminal: CommandTerminal,
) => Promise<void>

/** Reads the arguments of a command and runs it. Returns the exit code. */
export async function executeCommand<Context>(
  { name, load }: LazyCommand<Context>,
  args: string[],
  terminal: CommandTerminal,
  run: Run<Context>,
): Promise<number> {
  const command = await load()
  try {
    const input = readArguments(args, command)
    await run(command, input, readConfig(terminal.env, terminal.isTerminal), terminal)
    return 0
  } catch (error) {
    return explain(error, name, command.positionals, terminal.complain)
  }
}

export const runProgram: Run<ProgramContext> = async (command, input, config, { print }) => {
  const output = openLog({ level: config.logLevel, format: config.logFormat })
  endOnBugs(output)
  try {
    await command.run({ config, log: output.log }, input, print, never)
  } finally {
    await output.flush()
  }
}

export const runOneShot: Run<Services> = async (command, input, config, { print, log: stream }) => {
  // A one-shot command prints to standard output, so its log shows only warnings and errors.
  const log = warningAndErrorLog({ format: 'pretty', descriptor: 2, ...(stream && { stream }) })
  const { openServices } = await import('./services.ts')
  const services = await openServices(config, log, 'visitor')
  try {
    // A one-shot command does not migrate an external database: it may come from a newer version that an
    // operator is only trying out.
    await (config.databaseUrl === undefined ? services.migrate() : assertSchemaMigrated(services.sql))
    await assertClockRight(services)
    const run = (ending: AbortSignal) => command.run(services, input, print, ending)
    const ended = new AbortController()
    const watching = watchUpcomingWork(services, ended.signal)
    try {
      await (command.isEndless ? runUntilSignalled(run) : run(never))
    } finally {
      ended.abort()
      await watching
    }
  } finally {
    await services.close()
  }
}

/** Programs handle signals themselves, and one-shot commands end by themselves. */
const never = new AbortController().signal

/** A second signal ends the command without waiting. */
async function runUntilSignalled(run: (ending: AbortSignal) => Promise<void> | void): Promise<void> {
  const signals = listenForShutdownSignals()
  const ending = new AbortController()
  void signals.first.then(() => ending.abort())
  try {
    await Promise.race([
      run(ending.signal),
      signals.second.then((signal) => {
        throw new Error(`Stopped by a second signal (${signal}) before the command had ended.`)
      }),
    ])
  } finally {
    signals.forget()
  }
}

/** After an uncaught error the state is undefined: log it and exit. */
function endOnBugs({ log, flush }: LogWithFlush): void {
  const end = (err: unknown) => {
    log.error({ err }, 'uncaught error, a bug; the process exits with 1')
    void flush().finally(() => process.exit(1))
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

function explain(error: unknown, name: string, positionals: readonly string[], complain: Print): number {
  if (error instanceof WrongUsage || error instanceof Refused) {
    for (const fault of error instanceof Refused ? faultsOf(error, positionals) : [error.message])
      complain(fault)
    complain(`To see the options: vezne help ${name}`)
    return 2
  }
  complain(sentenceOf(error))
  return error instanceof UnreadableFile ? 2 : 1
}

function faultsOf({ refusal, complaints }: Refused, positionals: readonly string[]): string[] {
  if (!complaints) return [refusal.en]
  return Array.from(
    complaints,
    ([parameter, sentences]) =>
      `${shownParameter(parameter, positionals)}: ${sentences.map(({ en }) => en).join(' ')}`,
  )
}

function sentenceOf(error: unknown): string {
  if (error instanceof CommitUnknown)
    return 'The connection was lost during the commit. The change may or may not have been made: check before you try again.'
  if (error instanceof WorkerUnavailable)
    return `A worker of the database cannot be reached: ${error.message}. Start the worker, and try again.`
  if (error instanceof DatabaseUnavailable)
    return `The database cannot be reached: ${error.message}. Check DATABASE_URL.`
  return error instanceof Error ? error.message : String(error)
}
