import {
  clientPrograms,
  featureFolders,
  importOrder,
  isServiceCode,
  isTest,
  kitOrder,
  moduleOf,
  programOf,
  programs,
  strangers,
  toolFolders,
} from './import-order.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

type Floors = readonly (readonly string[])[]

const floorOf = (floors: Floors, place: string) => floors.findIndex((floor) => floor.includes(place))

/** Imports go downwards and through entry points. */
export function* imports(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (!isCode(file.path) || isTest(file.path)) continue
    for (const { module, start } of codeOf(file).imports) {
      const sentence = objection(file.path, module)
      if (sentence) yield violationAt(file, start, sentence)
    }
  }
}

/** Every code file belongs to a program, and in server/ and kit/ to a layer. */
export function* modules(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files.filter(({ path }) => isCode(path) && !programs.includes(programOf(path))))
    yield violationAt(file, 0, `move it to a program, or name the new one in scripts/tidy/import-order.ts`)
  yield* doorsForNobody(files)
  for (const { program, floors, placeOf } of [
    { program: 'server', floors: importOrder, placeOf: moduleOf },
    { program: 'kit', floors: kitOrder, placeOf: kitFolderOf },
  ]) {
    for (const file of files) {
      const place = placeOf(file.path)
      if (place === undefined || floorOf(floors, place) >= 0 || place.endsWith('.md')) continue
      yield violationAt(
        file,
        0,
        `give ${program}/${place} its place in scripts/tidy/import-order.ts, or move the file to one that is there`,
      )
    }
  }
}

/** Reports an entry point that is named for a feature which does not exist. */
function* doorsForNobody(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    const [, reader] = /^server\/[^/]+\/for-([^/]+)\.ts$/.exec(file.path) ?? []
    if (reader !== undefined && !featureFolders.includes(reader))
      yield violationAt(file, 0, `name the door for a feature: there is no server/${reader}`)
  }
}

const kitFolderOf = (path: string) => (path.startsWith('kit/') ? path.split('/')[1] : undefined)

function objection(from: string, to: string): string | undefined {
  if (isTest(to)) return 'move what is needed here out of the test'
  const own = programOf(from)
  const program = programOf(to)
  if (program === own) return objectionInside(from, to)
  if (own === 'testing') return undefined
  if (toolFolders.includes(own)) return objectionAtDoor(from, to)
  if (program === 'testing') return 'import testing/ in tests alone'
  const isClient = clientPrograms.includes(program)
  if (clientPrograms.includes(own) && (isClient || isServiceCode(to)))
    return `let ${own}/ know ${program}/ by its interface alone: copy or generate what it needs`
  if (!isServiceCode(from)) return undefined
  if (isClient || toolFolders.includes(program))
    return `do not import ${program}/ into the service: move what both need into kit/`
  return isServiceCode(to) ? objectionBetweenServicePrograms(from, to) : undefined
}

function objectionBetweenServicePrograms(from: string, to: string): string | undefined {
  const own = programOf(from)
  const program = programOf(to)
  if (program === 'kit') return undefined
  if (own === 'kit')
    return `pass it in from above, or move what both need into kit/, which stands below ${program}/`
  if (own in strangers) return `import kit/ alone: ${own}/ plays strangers, who share no code with us`
  const starters = strangers[program] ?? []
  return starters.includes(moduleOf(from) ?? '')
    ? undefined
    : `talk to ${program}/ over the network: only ${starters.join(', ')} import it`
}

/** Objection to an import within one program. */
function objectionInside(from: string, to: string): string | undefined {
  const program = programOf(from)
  if (program === 'server')
    return objectionAtDoor(from, to) ?? objectionByFloor(importOrder, moduleOf(from), moduleOf(to))
  if (program === 'kit') return objectionByFloor(kitOrder, kitFolderOf(from), kitFolderOf(to))
  return undefined
}

function objectionAtDoor(from: string, to: string): string | undefined {
  const module = moduleOf(to) ?? ''
  if (module === moduleOf(from) || !featureFolders.includes(module) || isDoor(from, to)) return undefined
  return `import server/${module}/index.ts, the door of ${module}, and let it export what you need`
}

function objectionByFloor(floors: Floors, own = '', place = ''): string | undefined {
  if (own === place || floorOf(floors, own) > floorOf(floors, place)) return undefined
  return `${own} stands no higher than ${place}: pass it in from above, or move what both need further down`
}

/**
 * True for an entry point of a feature: `index.ts` for all, `for-refunds.ts` for refunds only, and
 * `commands.ts` for the command line. The last lists the feature's commands without loading them.
 */
function isDoor(from: string, to: string): boolean {
  const [, name = ''] = /^server\/[^/]+\/(.*)$/.exec(to) ?? []
  return (
    name === 'index.ts' ||
    name === `for-${moduleOf(from)}.ts` ||
    (name === 'commands.ts' && from === 'server/commands.ts')
  )
}
