/** Facts that documents repeat, and the code decides. Each function lists what a page says that is not so. */

/** A page of the documents, by its path. */
export interface Page {
  path: string
  text: string
}

export interface KnownCommand {
  name: string
  options: readonly string[]
}

/** Begins a line of code, or follows a prompt, a path or a colon. Elsewhere `vezne` is a name. */
const commandMention = /(?:^ *|\$ |\.\/|: )vezne ([a-z][a-z-]*(?: [a-z][a-z-]*)?)([^`\n]*)/gm

/** Commands and options that a page types in code, and that do not exist. */
export function wrongCommands(pages: readonly Page[], commands: readonly KnownCommand[]): string[] {
  return pages.flatMap(({ path, text }) =>
    codeIn(text).flatMap((code) =>
      [...code.matchAll(commandMention)].flatMap(([, words = '', rest = '']) => {
        const [noun = ''] = words.split(' ')
        if (['help', 'version'].includes(noun)) return []
        const command = [words, noun].flatMap((name) => commands.find((each) => each.name === name) ?? [])[0]
        const isNoun = commands.some(({ name }) => name.startsWith(`${noun} `)) && words === noun
        if (!command) return isNoun ? [] : [`${path}: vezne ${words}`]
        const [own = ''] = rest.split(/[|<>;#]/)
        const typed = [...own.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)]
        const unknown = typed.filter(([, option = '']) => !command.options.includes(option))
        return unknown.map(([option]) => `${path}: vezne ${command.name} ${option}`)
      }),
    ),
  )
}

/** Code of a page: its blocks, and what stands between backticks. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```.*?\n(.*?)^ *```/gms)].map(([, code = '']) => code)
  const prose = text.replace(/^ *```.*?^ *```/gms, '')
  return [...blocks, ...[...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)]
}

/** Pairs of status and error code, such as 409/930, that the API does not answer. */
export function wrongErrors(
  pages: readonly Page[],
  refusals: readonly { status: number; code: number }[],
): string[] {
  const known = new Set(refusals.map(({ status, code }) => `${status}/${code}`))
  return mentions(pages, /\b[1-5]\d\d\/9\d\d\b/g)
    .filter(({ mention }) => !known.has(mention))
    .map(shown)
}

/** Kinds of events that do not exist. */
export function wrongEvents(pages: readonly Page[], kinds: readonly string[]): string[] {
  const nouns = [...new Set(kinds.map((kind) => kind.split('.')[0]))].join('|')
  const pattern = new RegExp(
    `(?<=[\`"' ])(?:${nouns})\\.(?!ts|md|js|json|sql|data\\b)[a-z_]+(?=[\`"' ,])`,
    'g',
  )
  return mentions(pages, pattern)
    .filter(({ mention }) => !kinds.includes(mention))
    .map(shown)
}

/** Endpoints of the API that do not exist. `:id` in a route stands for a number or a name in the page. */
export function wrongEndpoints(
  pages: readonly Page[],
  routes: readonly { method: string; url: string }[],
): string[] {
  const known = routes.map(({ method, url }) => {
    const path = url.replaceAll(/:\w+/g, '[^/ ]+')
    return new RegExp(`^${method} ${path}$`)
  })
  return mentions(pages, /\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/:{}-]*\w\}?/g)
    .filter(({ mention }) => !known.some((route) => route.test(mention)))
    .map(shown)
}

export interface KnownSetting {
  name: string
  /** Default and limits as the page writes them; undefined where a number does not describe them. */
  defaultValue: string | undefined
  limits: [min: number, max: number] | undefined
}

/** Rows of the settings page that are missing, too many, or have another default or range. */
export function wrongSettings({ path, text }: Page, settings: readonly KnownSetting[]): string[] {
  const rows = new Map(
    [...text.matchAll(/^\| `([A-Z_]+)` \| (.*) \|$/gm)].map(([, name = '', cells = '']) => [name, cells]),
  )
  const names = settings.map(({ name }) => name)
  const extra = [...rows.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => `${path}: no setting ${name}`)
  const wrong = settings.flatMap(({ name, defaultValue, limits }) => {
    const cells = rows.get(name)
    if (cells === undefined) return [`${path}: ${name} is missing`]
    const plain = cells.replaceAll(/(?<=\d)[ \u00a0](?=\d{3}\b)/g, '').replaceAll('`', '')
    const isDefault = defaultValue === undefined || plain.replaceAll(', ', ',').startsWith(`${defaultValue} `)
    const isRange = !limits || plain.includes(`${limits[0]} to ${limits[1]}`)
    return isDefault && isRange ? [] : [`${path}: ${name} ${isDefault ? 'range' : 'default'}`]
  })
  return [...extra, ...wrong]
}

/** Names in capitals with an underscore that are no setting, in code of the pages. */
export function unknownSettings(pages: readonly Page[], names: readonly string[]): string[] {
  return mentions(pages, /(?<=`)[A-Z]+(?:_[A-Z]+)+(?=[`=])/g)
    .filter(({ mention }) => !names.includes(mention))
    .map(shown)
}

interface Mention {
  path: string
  mention: string
}

function mentions(pages: readonly Page[], pattern: RegExp): Mention[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([mention]) => ({ path, mention })),
  )
}

const shown = ({ path, mention }: Mention) => `${path}: ${mention}`
