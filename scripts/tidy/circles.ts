import { isTest, moduleOf } from './import-order.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

/** An import of one place by another: files, or the folders that they are in. */
interface Arrow {
  from: string
  to: string
  file: TrackedFile
  start: number
}

/** No file imports one that imports it, by whatever way round. */
export function* circles(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const arrows = arrowsBetween(files, (path) => path)
  for (const { from, to, file, start } of arrowsInCircles(arrows))
    yield violationAt(
      file,
      start,
      `move what both need below: ${to} imports ${from} too, directly or through others`,
    )
}

/**
 * No folder imports one that imports it: a folder is above another or below it. The files of server/ itself are places
 * of their own, each with its floor.
 */
export function* folderCircles(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const folderOf = (path: string) =>
    moduleOf(path)?.endsWith('.ts') ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')))
  for (const { from, to, file, start } of arrowsInCircles(arrowsBetween(files, folderOf)))
    yield violationAt(
      file,
      start,
      `let ${from}/ and ${to}/ import each other one way: move what is imported here below`,
    )
}

function arrowsBetween(files: readonly TrackedFile[], placeOf: (path: string) => string): Arrow[] {
  const code = files.filter(({ path }) => isCode(path) && !isTest(path))
  const paths = new Set(code.map(({ path }) => path))
  return code.flatMap((file) =>
    codeOf(file)
      .imports.filter(({ module }) => paths.has(module))
      .map(({ module, start }) => ({ from: placeOf(file.path), to: placeOf(module), file, start }))
      .filter(({ from, to }) => from !== to),
  )
}

/** Arrows from whose end another way leads back to their beginning. */
function arrowsInCircles(arrows: readonly Arrow[]): Arrow[] {
  const targets = Map.groupBy(arrows, ({ from }) => from)
  const reached = new Map<string, Set<string>>()
  const reachedFrom = (place: string): Set<string> => {
    const known = reached.get(place)
    if (known) return known
    const found = new Set<string>()
    reached.set(place, found)
    const queue = [place]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const { to } of targets.get(next) ?? []) {
        if (found.has(to)) continue
        found.add(to)
        queue.push(to)
      }
    }
    return found
  }
  return arrows.filter(({ from, to }) => reachedFrom(to).has(from))
}
