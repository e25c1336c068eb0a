import { isTest, moduleOf } from './import-order.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { codeOf, isCode, violationAt } from './source.ts'

/** Import from one place to another. A place is a file or its folder. */
interface Arrow {
  from: string
  to: string
  file: TrackedFile
  start: number
}

/** Files do not import each other in a circle. */
export function* circles(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  yield* violationsIn(arrowsBetween(files, (path) => path))
}

/**
 * Folders do not import each other in a circle. Each file directly in server/ counts as a folder with its own
 * layer.
 */
export function* folderCircles(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  const folderOf = (path: string) =>
    moduleOf(path)?.endsWith('.ts') ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')))
  yield* violationsIn(arrowsBetween(files, folderOf))
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

/**
 * One wrong import can put a hundred correct ones on a circle. So for each group of connected circles, only
 * the shortest is reported, at its step with the fewest imports: those are most likely wrong.
 */
function* violationsIn(arrows: readonly Arrow[]): Iterable<TidyViolation> {
  const byPair = Map.groupBy(arrows, ({ from, to }) => `${from} ${to}`)
  const targets = Map.groupBy(arrows, ({ from }) => from)
  const circles = [...byPair.values()]
    .flatMap(([arrow]) => (arrow ? [wayBetween(targets, arrow.to, arrow.from)] : []))
    .filter((way) => way !== undefined)
    .toSorted((a, b) => a.length - b.length || a.join().localeCompare(b.join()))
  const reported: string[] = []
  for (const way of circles) {
    const [place = ''] = way
    if (reported.some((other) => other === place || isOnCircle(targets, place, other))) continue
    reported.push(place)
    const pairs = way.map((to, index) => byPair.get(`${way.at(index - 1)} ${to}`) ?? [])
    const fewest = Math.min(...pairs.map(({ length }) => length))
    const wrong = new Set(pairs.filter(({ length }) => length === fewest).flat())
    const sentence = `move what both need below, for this is a circle: ${[...way, place].join(' → ')}`
    for (const arrow of arrows.filter((each) => wrong.has(each)))
      yield violationAt(arrow.file, arrow.start, sentence)
  }
}

const isOnCircle = (targets: Targets, a: string, b: string) =>
  wayBetween(targets, a, b) !== undefined && wayBetween(targets, b, a) !== undefined

type Targets = ReadonlyMap<string, readonly Arrow[]>

/** Shortest path along the arrows, with both ends; undefined if there is none. */
function wayBetween(targets: Targets, from: string, to: string): string[] | undefined {
  const ways = new Map([[from, [from]]])
  for (const [place, way] of ways) {
    if (place === to) return way
    for (const arrow of targets.get(place) ?? [])
      if (!ways.has(arrow.to)) ways.set(arrow.to, [...way, arrow.to])
  }
  return undefined
}
