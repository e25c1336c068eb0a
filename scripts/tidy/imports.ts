import {
  clientFolders,
  featureFolders,
  importOrder,
  isTest,
  moduleOf,
  standInFolders,
  toolFolders,
  topFolderOf,
} from './import-order.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

const floorOf = (module: string) => importOrder.findIndex((floor) => floor.includes(module))

/** Code is imported downwards and through doors. */
export function* imports(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (!isCode(file.path) || isTest(file.path)) continue
    for (const { module, start } of codeOf(file).imports) {
      const sentence = objection(file.path, module)
      if (sentence) yield violationAt(file, start, sentence)
    }
  }
}

/** Every file of server/ has its place in the house. */
export function* modules(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const known = new Set([...importOrder.flat(), ...Object.keys(standInFolders), 'testing'])
  for (const file of files) {
    const module = moduleOf(file.path)
    if (!module || known.has(module) || module.endsWith('.md')) continue
    yield violationAt(
      file,
      0,
      `give server/${module} its place in scripts/tidy/import-order.ts, or move the file to one that is there`,
    )
  }
}

function objection(from: string, to: string): string | undefined {
  const ownTop = topFolderOf(from)
  const top = topFolderOf(to)
  if (top !== ownTop) {
    if (clientFolders.includes(ownTop) && [...clientFolders, 'server'].includes(top)) {
      return `let ${ownTop}/ know ${top}/ by its interface alone: copy or generate what it needs`
    }
    if (ownTop === 'server' && [...clientFolders, ...toolFolders].includes(top)) {
      return `do not import ${top}/ into the service: move what both need into server/`
    }
  }
  return top === 'server' ? objectionInside(from, to) : undefined
}

/** What stands against importing `to`, a file of server/. */
function objectionInside(from: string, to: string): string | undefined {
  const own = moduleOf(from)
  const module = moduleOf(to) ?? ''
  if (own === module || own === 'testing') return undefined
  if (module === 'testing') {
    return toolFolders.includes(topFolderOf(from)) ? undefined : 'import testing/ in tests alone'
  }
  if (own !== undefined && own in standInFolders) {
    return module === 'kit'
      ? undefined
      : `import kit/ alone: server/${own}/ plays strangers, who share no code with us`
  }
  const starters = standInFolders[module]
  if (starters) {
    const mayStartIt = own === undefined || starters.includes(own)
    return mayStartIt
      ? undefined
      : `talk to server/${module}/ over the network: only ${starters.join(', ')} import it`
  }
  if (featureFolders.includes(module) && !isDoor(from, to)) {
    return `import server/${module}/index.ts, the door of ${module}, and let it export what you need`
  }
  if (own && floorOf(own) <= floorOf(module)) {
    return `${own} stands no higher than ${module}: pass it in from above, or move what both need further down`
  }
  return undefined
}

/** The command line has a door of its own: the list of a feature's commands, which loads none of them. */
function isDoor(from: string, to: string): boolean {
  const [, name = ''] = /^server\/[^/]+\/(.*)$/.exec(to) ?? []
  return name === 'index.ts' || (name === 'commands.ts' && from === 'server/commands.ts')
}
