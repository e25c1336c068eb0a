import type { Command } from '../kit/command.ts'
import { readArguments } from '../kit/command.ts'
import type { Services } from '../services.ts'

/** Runs a command as typed, `['pos', 'list']`, on these services, and answers what it printed. */
export async function typed(
  services: Services,
  commands: readonly Command<Services>[],
  words: readonly string[],
): Promise<string> {
  const known = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name)
  if (!known) throw new Error(`there is no command ${words.join(' ')}`)
  const input = readArguments(words.slice(known.name.split(' ').length), known as Command<never>)
  const lines: string[] = []
  await known.run(services, input, (line) => lines.push(line))
  return lines.join('\n')
}
