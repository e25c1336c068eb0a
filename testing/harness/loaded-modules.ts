// For `node --import`: at the end of the process it prints the loaded modules as one line of JSON. A package
// is listed by its name.
import { registerHooks } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(import.meta.dirname, '..', '..')
const loaded = new Set<string>()

registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) loaded.add(nameOf(relative(root, fileURLToPath(url))))
    return next(url, context)
  },
})

function nameOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path.replaceAll(sep, '/')) ?? []
  return name ?? path
}

process.on('exit', () => process.stderr.write(`${JSON.stringify({ loaded: [...loaded] })}\n`))
