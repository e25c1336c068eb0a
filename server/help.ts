import type { Command, LazyCommand } from '../kit/command-line/command.ts'
import { optionName } from '../kit/command-line/command.ts'
import { wrappedText } from '../kit/command-line/text-table.ts'

/** Help for one command with all its inputs, for `vezne help COMMAND`. */
export function commandHelp(
  { name, about, example }: Pick<LazyCommand<never>, 'name' | 'about' | 'example'>,
  { positionals, input }: Pick<Command<never>, 'positionals' | 'input'>,
): string {
  const fields = Object.entries(input.properties) as [
    string,
    { type?: string; description?: string; enum?: string[] },
  ][]
  const required = input.required ?? []
  const options = fields.map(([field, schema]) => {
    const values = schema.enum ? ` One of ${schema.enum.join(', ')}.` : ''
    const must = required.includes(field) ? ' Required.' : ''
    const usage = `  ${usageOf(field, schema.type, positionals).padEnd(33)} `
    return wrappedText(`${usage}${schema.description ?? ''}${values}${must}`, 36)
  })
  const usage = ['vezne', name, ...positionals.map((positional) => positional.toUpperCase())].join(' ')
  return [`${usage}\n\n${wrappedText(about, 0)}\n`, ...options, `\nExample: ${example}\n`].join('\n')
}

/** Name of a parameter as typed, with the position of a repeated option's value: `--rate (value 2)`. */
export function shownParameter(parameter: string, positionals: readonly string[]): string {
  const [field = '', index] = parameter.split('.')
  const name = positionals.includes(field) ? field.toUpperCase() : `--${optionName(field)}`
  return index === undefined ? name : `${name} (value ${Number(index) + 1})`
}

function usageOf(field: string, type: string | undefined, positionals: readonly string[]): string {
  if (positionals.includes(field)) return shownParameter(field, positionals)
  const value = type === 'boolean' ? '[true|false]' : type === 'integer' ? 'N' : '…'
  return `${shownParameter(field, positionals)} ${value}${type === 'array' ? ' (repeatable)' : ''}`
}
