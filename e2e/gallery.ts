import { rmSync } from 'node:fs'
import { makeFolder } from '../scripts/test/folder.ts'
import { findBrowser } from './find-browser.ts'
import { measureBrowser } from './measure-browser.ts'
import { startStage } from './stage.ts'

/**
 * Takes pictures of everything that a payer can see. `npm run gallery -- FOLDER` takes all of them, `npm run gallery -- FOLDER
 * bank paid` those states alone; `npm run gallery` writes the few that docs/gallery shows.
 */
const [target, ...wanted] = process.argv.slice(2)
const folder = makeFolder()
try {
  process.env['TMPDIR'] = folder
  const browser = await measureBrowser(await findBrowser())
  const stage = await startStage(folder)
  Object.assign(process.env, browser.env, stage.env)
  // Who reads the environment is loaded after it was written.
  const { takeAll, takeBest } = await import('./gallery/pictures.ts')
  try {
    await (target === undefined ? takeBest() : takeAll(target, wanted))
  } finally {
    await stage.end()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
