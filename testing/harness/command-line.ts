import { readArguments } from '../../kit/command-line/command.ts'
import { oneShotCommands, runCommand } from '../../server/commands.ts'
import type { Environment } from '../../server/config.ts'
import type { Services } from '../../server/services.ts'

/** Runs a command on these services, given as words such as `['pos', 'list']`, and returns its output. */
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

/** True if a command was refused because of this parameter. */
export function isRefusedFor(name: string): (error: { complaints?: Map<string, unknown> }) => boolean {
  return ({ complaints }) => complaints?.has(name) ?? false
}

/**
 * Runs the command line as `./vezne` does, but in this process, with these words and settings. Returns the
 * exit code and all output.
 */
export async function runVezne(words: string[], env: Environment): Promise<{ code: number; output: string }> {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  const log = { write: print }
  const code = await runCommand(words, { env, isTerminal: false, print, complain: print, log })
  return { code, output: lines.join('\n') }
}
