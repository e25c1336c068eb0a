import { isServiceCode, isTest } from './import-order.ts'
import type { Code, TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

interface RetiredWord {
  /** Replacement. */
  use: string
  /** Names that use the word in another meaning. */
  except?: readonly string[]
}

/** Words that names must not contain, with their replacements. The plural is retired too. */
const vocabulary: Readonly<Record<string, RetiredWord>> = {
  aftermath: { use: 'integrity' },
  anew: { use: 'again, or unprepared' },
  attend: { use: 'process' },
  begun: { use: 'started, or a noun' },
  book: { use: 'ledger, or integrity', except: ['clearBankBook'] },
  cashier: { use: 'worker' },
  comer: { use: 'return context' },
  companion: { use: 'extra write' },
  conclude: { use: 'settle manually, or finish' },
  concluded: { use: 'settled, or finished' },
  conclusion: { use: 'settlement' },
  consequence: { use: 'effect' },
  copies: { use: 'instances' },
  copy: { use: 'instance' },
  courier: { use: 'outbound client' },
  deed: { use: 'modification' },
  deliverer: { use: 'worker' },
  desk: { use: 'pipeline' },
  errand: { use: 'procedure, purpose, or command' },
  finding: { use: 'rule violation, break, or integrity violation' },
  foretold: { use: 'expected' },
  gather: { use: 'batch' },
  gathering: { use: 'batch' },
  happening: { use: 'history entry' },
  heard: { use: 'response' },
  hearer: { use: 'subscriber' },
  hindrance: { use: 'error' },
  law: { use: 'invariant' },
  letter: { use: 'request', except: ['decodeLetters'] },
  looked: { use: 'context' },
  move: { use: 'transition' },
  moved: { use: 'transition' },
  overtaken: { use: 'conflict' },
  passage: { use: 'return token' },
  patience: { use: 'timeout' },
  people: { use: 'manual review' },
  person: { use: 'manual review' },
  place: { use: 'position' },
  placed: { use: 'position' },
  plant: { use: 'seed' },
  planted: { use: 'seeded' },
  receipt: {
    use: 'result',
    except: [
      ...['ReceiptLine', 'receiptLines', 'receiptLabels'],
      ...['showReceiptRoute', 'receiptFile', 'receiptStyle'],
    ],
  },
  road: { use: 'pool' },
  rounds: { use: 'retries' },
  said: { use: 'response' },
  salt: { use: 'hour key', except: ['saltBytes'] },
  salted: { use: 'with its hour key' },
  sequel: { use: 'outcome handler' },
  standing: { use: 'status, state, balance, or health' },
  sweep: { use: 'process' },
  tell: { use: 'emit' },
  telling: { use: 'events' },
  tend: { use: 'process' },
  told: { use: 'event' },
  truth: { use: 'consistency' },
  try: { use: 'attempt' },
  tries: { use: 'attempts', except: ['tries', 'triesLeft'] },
  turn: { use: 'lease' },
  unheard: { use: 'no response' },
  untruth: { use: 'inconsistency' },
  wanted: { use: 'a noun' },
  way: { use: 'operation, or mode' },
  whose: { use: 'owned id' },
  wish: { use: 'request, or input' },
}

/** No exported name, metric, setting, command or log field contains a retired word. */
export function* retiredWords(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files.filter(({ path }) => isCode(path) && !path.startsWith('scripts/tidy'))) {
    for (const { name, start } of namesIn(file, codeOf(file))) {
      const word = retiredIn(name)
      if (word) yield violationAt(file, start, `rename "${name}": use ${word.use} instead of ${word.word}`)
    }
  }
}

function namesIn({ path }: TrackedFile, code: Code): { name: string; start: number }[] {
  const isService = isServiceCode(path) && !isTest(path)
  const texts = code.strings.map(({ text, start }) => ({ name: text, start }))
  return [
    ...code.exports,
    ...(isService ? code.logCalls.flatMap(({ names }) => names) : []),
    ...(isService ? texts.filter(({ name }) => /^vezne_[a-z_]+$/.test(name)) : []),
    ...(path === 'server/config.ts' ? texts.filter(({ name }) => /^[A-Z]+(_[A-Z]+)+$/.test(name)) : []),
    ...(/(^|\/)commands\.ts$/.test(path) ? code.names : []),
  ]
}

function retiredIn(name: string): { word: string; use: string } | undefined {
  const parts = name.split(/[_ -]|(?<=[a-z0-9])(?=[A-Z])/).map((part) => part.toLowerCase())
  for (const part of parts) {
    const retired = vocabulary[part] ?? vocabulary[part.replace(/s$/, '')]
    if (retired && !retired.except?.includes(name)) return { word: part, use: retired.use }
  }
  return undefined
}

/** The name of an exported type is declared once in the service, so that it has one meaning everywhere. */
export function* typeNames(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const declared = new Map<string, string>()
  for (const file of files.filter(
    ({ path }) => isCode(path) && (isServiceCode(path) || path.startsWith('testing/')),
  )) {
    for (const { name, start } of codeOf(file).exports.filter(({ isType }) => isType)) {
      const first = declared.get(name)
      if (first) yield violationAt(file, start, `rename the type ${name}: ${first} exports one by that name`)
      else declared.set(name, file.path)
    }
  }
}

/** First words with which a comment becomes a riddle: its subject comes late, or never. */
const vagueBeginning =
  /^(What|Who|Whom|Whose|Which|How|Why|Where|When|Whether|Whoever|Whatever|Those|These|That|They|It|The same|Such|Of|As|So|But|And|None|Nobody|Somebody|Something|Everything)\b/

/** A comment begins with a noun or a verb, so that it is read once. */
export function* commentBeginnings(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files.filter(({ path }) => isCode(path) && !path.startsWith('scripts/tidy'))) {
    let end = -1
    for (const comment of codeOf(file).comments) {
      const isContinued = comment.type === 'Line' && /^\n[ \t]*$/.test(file.text.slice(end, comment.start))
      end = comment.end
      const word = isContinued ? undefined : vagueBeginning.exec(comment.value.replace(/^[*\s]+/, ''))?.[1]
      if (word) yield violationAt(file, comment.start, `begin with a noun or a verb instead of "${word}"`)
    }
  }
}
