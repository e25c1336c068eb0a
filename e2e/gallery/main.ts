import { rmSync } from 'node:fs'
import { makeTestRunFolder } from '../../scripts/test/folder.ts'
import { findBrowser } from '../find-browser.ts'
import { measureBrowser } from '../measure-browser.ts'
import { startRunningService } from '../running-service.ts'

/**
 * Takes pictures of every state that a payer can see.
 *
 * - `npm run gallery -- FOLDER` takes all of them.
 * - `npm run gallery -- FOLDER bank paid` takes only those states.
 * - `npm run gallery` writes the pictures of docs/gallery.
 */
const [target, ...wanted] = process.argv.slice(2)
const folder = makeTestRunFolder()
try {
  process.env['TMPDIR'] = folder
  const browser = await measureBrowser(await findBrowser())
  const stage = await startRunningService(folder)
  Object.assign(process.env, browser.env, stage.env)
  // Imported after the environment is set, because the module reads it while loading.
  const { takeAllPictures: takeAll, takeDocumentationPictures: takeBest } = await import('./pictures.ts')
  try {
    await (target === undefined ? takeBest() : takeAll(target, wanted))
  } finally {
    await stage.end()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
