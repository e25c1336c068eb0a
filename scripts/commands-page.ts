import type { Command } from '../kit/command-line/command.ts'
import { optionName } from '../kit/command-line/command.ts'
import { commands } from '../server/commands.ts'

/** The page docs/operate/commands.md, from the declarations of the commands. */
export async function commandsPage(): Promise<string> {
  const sections = await Promise.all(
    commands.map(async ({ name, about, example, load }) => {
      const { positionals, input } = await load()
      const usage = ['./vezne', name, ...positionals.map((positional) => positional.toUpperCase())].join(' ')
      return `## ${name}\n\n\`${usage}\`\n\n${about}\n\nExample: \`${example}\`\n${inputTable({ positionals, input })}`
    }),
  )
  return `# Commands

<!-- Written by scripts/commands-page.ts from the declarations of the commands. -->

\`./vezne\` runs the service and operates it. This page lists every command with its options. \`./vezne help COMMAND\` prints
the same for one command.

- A command needs the [settings](settings.md) of its service: \`VEZNE_HOME\`, or \`DATABASE_URL\` and \`VEZNE_SECRET\`.
- Most commands work while the service runs and while it does not.
- The exit code is 0 on success, 1 on failure, and 2 if the command line is wrong.

${sections.join('\n')}`
}

interface Field {
  type?: string
  description?: string
  enum?: string[]
}

function inputTable({ positionals, input }: Pick<Command<never>, 'positionals' | 'input'>): string {
  const fields = Object.entries(input.properties) as [string, Field][]
  if (fields.length === 0) return ''
  const rows = fields.map(([field, { type, description = '', enum: values }]) => {
    const name = positionals.includes(field) ? field.toUpperCase() : `--${optionName(field)}`
    const isRequired = input.required?.includes(field)
    const choices = values ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : ''
    const repeated = type === 'array' ? ' Repeat it for more.' : ''
    const text = `${description}${choices}${repeated}`.replaceAll('|', '\\|')
    return `| \`${name}\` | ${isRequired ? 'yes' : ''} | ${text} |`
  })
  return ['\n| input | required | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}
