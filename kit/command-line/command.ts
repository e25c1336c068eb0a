import { parseArgs } from 'node:util'
import type { Static, TObject } from 'typebox'
import type { RawInput } from '../input/body.ts'
import { emptyInput } from '../input/body.ts'
import { cannotBeBlank } from '../input/complaints.ts'
import { parseInput } from '../input/parse-input.ts'
import type { Complaints } from '../input/refusals.ts'
import { Refused, validationFailed } from '../input/refusals.ts'

/** One command as the help lists it. Its inputs and its code are loaded when it is called. */
export interface LazyCommand<Context> {
  /** Name as it is typed: `merchant create`. */
  name: string
  about: string
  example: string
  load(): Promise<Command<Context>>
}

/** One command as data: its inputs, its checks and its code. */
export interface Command<Context> {
  /** Inputs given by position, in this order. */
  positionals: readonly string[]
  input: TObject
  /**
   * Former option names and the new names. A call with a former name fails with a message that gives the new
   * name.
   */
  renamedOptions?: Readonly<Record<string, string>>
  /** Runs until Ctrl-C or a signal. Ending by a signal is a success. */
  isEndless?: true
  run(context: Context, input: unknown, print: Print, ending: AbortSignal): Promise<void> | void
}

export type Print = (line: string) => void

export function command<Context, Input extends TObject>(
  description: Pick<Command<Context>, 'renamedOptions' | 'isEndless'> & {
    positionals?: readonly (keyof Static<Input> & string)[]
    input: Input
    run(context: Context, input: Static<Input>, print: Print, ending: AbortSignal): Promise<void> | void
  },
): Command<Context> {
  return { positionals: [], ...description }
}

/** The arguments do not fit the command. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/**
 * Reads `--time-zone Europe/Istanbul` by the command's input schema, with the same checks as an API request.
 */
export function readArguments(
  args: string[],
  {
    positionals: positionalNames,
    input,
    renamedOptions = {},
  }: Pick<Command<never>, 'positionals' | 'input' | 'renamedOptions'>,
): unknown {
  const properties = Object.entries(input.properties) as [string, { type?: string }][]
  const options = Object.fromEntries(
    properties
      .filter(([name]) => !positionalNames.includes(name))
      .map(([name]) => [optionName(name), { type: 'string' as const, multiple: true as const }]),
  )
  const flags = properties
    .filter(([, { type }]) => type === 'boolean')
    .map(([name]) => `--${optionName(name)}`)
  const { values, positionals } = parse(withExplicitFlags(args, flags), options, renamedOptions)
  if (positionals.length > positionalNames.length) throw new WrongUsage('Too many arguments.')
  const raw = emptyInput()
  for (const [index, value] of positionals.entries()) raw[positionalNames[index] ?? ''] = value
  for (const [option, given = []] of Object.entries(values)) {
    const name = option.replaceAll('-', '_')
    const isList = properties.some(([property, { type }]) => property === name && type === 'array')
    // An option given twice is a list, as in a form. A field that expects one value refuses it.
    raw[name] = isList || given.length > 1 ? given : given[0]
  }
  return readWithoutBlanks(input, raw)
}

/**
 * A blank form field counts as not sent. On a command line a blank value is usually an unset shell variable,
 * so it is refused.
 */
function readWithoutBlanks(input: TObject, raw: RawInput): unknown {
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
  const blank = Object.keys(raw).filter((name) => [raw[name]].flat().some(isBlank))
  const complaints: Complaints = new Map(blank.map((name) => [name, [cannotBeBlank]]))
  let value: unknown
  try {
    value = parseInput(input, raw)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    for (const [name, sentences] of error.complaints ?? []) complaints.set(name, sentences)
  }
  if (complaints.size > 0) throw new Refused(validationFailed, { complaints })
  return value
}

export function optionName(name: string): string {
  return name.replaceAll('_', '-')
}

/** `--skip-bad` alone means true. Arguments after `--` are not options. */
function withExplicitFlags(args: string[], flags: readonly string[]): string[] {
  const end = args.indexOf('--')
  return args.map((arg, index) => {
    const isOption = flags.includes(arg) && (end < 0 || index < end)
    const hasValue = ['true', 'false', '1', '0'].includes(args[index + 1] ?? '')
    return isOption && !hasValue ? `${arg}=true` : arg
  })
}

function parse(
  args: string[],
  options: Record<string, { type: 'string'; multiple: true }>,
  renamed: Readonly<Record<string, string>>,
) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new WrongUsage(whatIsWrong(error, Object.keys(options), renamed))
  }
}

/** Node's own messages quote the arguments, which may hold a secret or a card number in the wrong place. */
function whatIsWrong(
  error: unknown,
  options: readonly string[],
  renamed: Readonly<Record<string, string>>,
): string {
  const { code, message = '' } = error as { code?: string; message?: string }
  const [, option] = /'(?:-\w, )?(--?[\w-]{1,40})/.exec(message) ?? []
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const newName = option && renamed[option]
    if (newName) return `${option} is now called ${newName}.`
    const known = options.map((name) => `--${name}`).join(', ') || 'none'
    return `Unknown option${option ? ` ${option}` : ''}. The options are: ${known}.`
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return `${option ?? 'An option'} needs a value. Write a value that begins with a hyphen as ${option ?? '--option'}=-1.`
  }
  return message
}
