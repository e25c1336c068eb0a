import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { environment } from '../server/config.ts'

/** First of these names that can be run, in any folder of the PATH. A name with a slash is a path. */
export function programOnPath(wanted: readonly string[]): string | undefined {
  const folders = (environment()['PATH'] ?? '').split(delimiter)
  const pathsOf = (name: string) =>
    name.includes('/') ? [resolve(name)] : folders.map((folder) => join(folder, name))
  return wanted.flatMap(pathsOf).find(canBeRun)
}

function canBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
