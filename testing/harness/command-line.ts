import { readArguments } from '../../kit/command-line/command.ts'
import { oneShotCommands, runCommand } from '../../server/commands.ts'
import type { Environment } from '../../server/config.ts'
import type { Services } from '../../server/services.ts'

/** Runs a command as typed, `['pos', 'list']`, on these services, and answers what it printed. */
export async function runTypedCommand(services: Services, words: readonly string[]): Promise<string> {
  const known = [2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .flatMap((name) => oneShotCommands.filter((listed) => listed.name === name))[0]
  if (!known) throw new Error(`there is no command ${words.join(' ')}`)
  const command = await known.load()
  const input = readArguments(words.slice(known.name.split(' ').length), command)
  const lines: string[] = []
  await command.run(services, input, (line) => lines.push(line), new AbortController().signal)
  return lines.join('\n')
}

/** Whether a command was refused for this parameter. */
export function isRefusedFor(name: string): (error: { complaints?: Map<string, unknown> }) => boolean {
  return ({ complaints }) => complaints?.has(name) ?? false
}

/**
 * Runs the command line as `./vezne` does, without a process of its own: it is handed the words and the settings, and
 * answers the exit code with all its output.
 */
export async function runVezne(words: string[], env: Environment): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const log = { write: print }
  const code = await runCommand(words, { env, isTerminal: false, print, complain: print, log })
  return { code, output: lines.join('\n') }
}
