import type { Command, Print } from '../kit/command-line/command.ts'
import { readArguments, WrongUsage } from '../kit/command-line/command.ts'
import { Refused } from '../kit/input/refusals.ts'
import type { LogOptions, LogWithFlush } from '../kit/runtime/log.ts'
import { openLog, warningAndErrorLog } from '../kit/runtime/log.ts'
import { listenForShutdownSignals } from '../kit/runtime/signals.ts'
import { CommitUnknown, DatabaseUnavailable } from '../kit/runtime/sql.ts'
import { UnreadableFile } from '../kit/text/file-lines.ts'
import type { Config, Environment } from './config.ts'
import { readConfig } from './config.ts'
import { assertSchemaMigrated } from './database/migrate.ts'
import { shownParameter } from './help.ts'
import { assertClockRight } from './instances/index.ts'
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

/** A command and the arguments after its name. */
export type CommandInvocation =
  | { name: string; command: Command<ProgramContext>; isProgram: true; rest: string[] }
  | { name: string; command: Command<Services>; isProgram: false; rest: string[] }

/** Reads a command's arguments and runs it. Returns the exit code. */
export async function executeCommand(
  invocation: CommandInvocation,
  terminal: CommandTerminal,
): Promise<number> {
  const { env, isTerminal, complain } = terminal
  try {
    const input = readArguments(invocation.rest, invocation.command)
    await run(invocation, input, readConfig(env, isTerminal), terminal)
    return 0
  } catch (error) {
    return explain(error, invocation, complain)
  }
}

async function run(
  invocation: CommandInvocation,
  input: unknown,
  config: Config,
  terminal: CommandTerminal,
): Promise<void> {
  const { print, log: stream } = terminal
  if (invocation.isProgram) {
    const output = openLog({ level: config.logLevel, format: config.logFormat })
    endOnBugs(output)
    try {
      await invocation.command.run({ config, log: output.log }, input, print, never)
    } finally {
      await output.flush()
    }
    return
  }
  // A one-shot command prints to standard output, so its log shows only warnings and errors.
  const log = warningAndErrorLog({ format: 'pretty', descriptor: 2, ...(stream && { stream }) })
  const { openServices } = await import('./services.ts')
  const services = await openServices(config, log, 'visitor')
  try {
    // A one-shot command does not migrate an external database: it may come from a newer version that an
    // operator is only trying out.
    await (config.databaseUrl === undefined ? services.migrate() : assertSchemaMigrated(services.sql))
    await assertClockRight(services)
    await (invocation.command.isEndless ? runUntilEnded : runOnce)(invocation.command, services, input, print)
  } finally {
    await services.close()
  }
}

/** Programs handle signals themselves, and one-shot commands end by themselves. */
const never = new AbortController().signal

async function runOnce(command: Command<Services>, services: Services, input: unknown, print: Print) {
  await command.run(services, input, print, never)
}

/** A second signal ends the command without waiting. */
async function runUntilEnded(command: Command<Services>, services: Services, input: unknown, print: Print) {
  const signals = listenForShutdownSignals()
  const ending = new AbortController()
  void signals.first.then(() => ending.abort())
  try {
    await Promise.race([
      command.run(services, input, print, ending.signal),
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

function explain(
  error: unknown,
  { name, command: { positionals } }: CommandInvocation,
  complain: Print,
): number {
  if (error instanceof WrongUsage) {
    complain(error.message)
    complain(`To see the options: vezne help ${name}`)
    return 2
  }
  if (error instanceof Refused) {
    if (!error.complaints) complain(error.refusal.en)
    for (const [parameter, sentences] of error.complaints ?? []) {
      complain(
        `${shownParameter(parameter, positionals)}: ${sentences.map((sentence) => sentence.en).join(' ')}`,
      )
    }
    complain(`To see the options: vezne help ${name}`)
    return 2
  }
  if (error instanceof UnreadableFile) {
    complain(error.message)
    return 2
  }
  if (error instanceof CommitUnknown) {
    complain(
      'The connection was lost during the commit. The change may or may not have been made: check before you try again.',
    )
    return 1
  }
  if (error instanceof DatabaseUnavailable) {
    complain(`The database cannot be reached: ${error.message}. Check DATABASE_URL.`)
    return 1
  }
  complain(error instanceof Error ? error.message : String(error))
  return 1
}
