import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { closeBrowser, openContext } from '../browser.ts'
import { closeDatabase } from '../database.ts'
import type { PageScenario } from '../page-scenarios.ts'
import { pageScenarios } from '../page-scenarios.ts'
import type { PayerVisit } from '../visit.ts'
import { openVisit } from '../visit.ts'
import { documentationPictures } from './documentation-pictures.ts'
import { takeShopPictures } from './shop-pictures.ts'

type Language = 'tr' | 'en'

/** Window settings of a picture. */
interface Frame {
  width: number
  dark: boolean
  language: Language
}

const widths = [320, 375, 1280]
const languages: Language[] = ['tr', 'en']
const docs = join(import.meta.dirname, '..', '..', 'docs', 'gallery')

const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Takes every state at every width, in light and dark and in both languages, and writes a sheet per state.
 */
export async function takeAllPictures(target: string, selected: readonly string[]): Promise<void> {
  const folder = resolve(target)
  mkdirSync(folder, { recursive: true })
  const chosen = pageScenarios.filter(({ name }) => selected.length === 0 || selected.includes(name))
  try {
    const taken: PageScenario[] = []
    for (const state of chosen) if (await takeState(folder, state)) taken.push(state)
    const links = taken.map(({ name, caption }) => `<li><a href="${name}.html">${name}</a> ${caption}</li>`)
    writeFileSync(join(folder, 'index.html'), `<meta charset="utf-8"><ul>${links.join('\n')}</ul>\n`)
  } finally {
    await closeAll()
  }
}

/** Takes the pictures of the documentation. */
export async function takeDocumentationPictures(): Promise<void> {
  mkdirSync(docs, { recursive: true })
  try {
    for (const { file, state: name, height, ...frame } of documentationPictures) {
      const state = pageScenarios.find((each) => each.name === name)
      if (!state) throw new Error(`there is no state ${name}`)
      const visit = await reached(state, frame.language, frame.width)
      await take(visit.page, frame, join(docs, file), height)
      await visit.end()
      say(file)
    }
    for (const file of await takeShopPictures(docs)) say(file)
  } finally {
    await closeAll()
  }
}

/**
 * Takes the pictures of one state. A state that cannot be reached is reported and does not stop the others.
 */
async function takeState(folder: string, state: PageScenario): Promise<boolean> {
  try {
    for (const language of languages)
      for (const group of state.isSized ? widths.map((width) => [width]) : [[320, 375], [1280]]) {
        const visit = await reached(state, language, group[0])
        for (const width of group)
          for (const dark of [false, true]) {
            const frame = { width, dark, language }
            await take(visit.page, frame, join(folder, fileOf(state, frame)))
          }
        await visit.end()
      }
    await writeSheet(folder, state)
    say(state.name)
    return true
  } catch (error) {
    say(`${state.name} is not reached: ${error}`)
    return false
  }
}

async function reached(state: PageScenario, language: Language, width = 1280): Promise<PayerVisit> {
  const visit = await openVisit({ ...(await state.options?.()), language, width, touch: width < 640 })
  await state.reach(visit)
  return visit
}

const fileOf = ({ name }: PageScenario, { width, dark, language }: Frame) =>
  `${name}-${language}-${width}-${dark ? 'dark' : 'light'}.png`

async function take(page: Page, { width, dark }: Frame, path: string, height = 800): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  // A dialog is as large as the window. Any other page is taken in a window of its full height, because parts
  // that stick to the window's edge would cover the middle of a longer picture.
  if ((await page.locator('dialog[open]').count()) === 0) {
    const full = await page.evaluate<number>('document.documentElement.scrollHeight')
    await page.setViewportSize({ width, height: Math.max(full, height) })
  }
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
}

/** Writes all pictures of a state side by side, for visual review. */
async function writeSheet(folder: string, state: PageScenario): Promise<void> {
  const pictures = languages.flatMap((language) =>
    [false, true].map((dark) =>
      widths
        .map((width) => `<img src="${fileOf(state, { width, dark, language })}" width="${width}">`)
        .join(' '),
    ),
  )
  const style =
    'body{margin:16px;background:#999;font:16px sans-serif}img{vertical-align:top;margin:8px}p{white-space:nowrap}'
  const body = `<h1>${state.name}: ${state.caption}</h1>${pictures.map((row) => `<p>${row}</p>`).join('\n')}`
  const file = join(folder, `${state.name}.html`)
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><style>${style}</style>${body}\n`)
  const context = await openContext({ width: 2060 })
  const page = await context.newPage()
  await page.goto(`file://${file}`)
  await page.screenshot({ path: join(folder, `${state.name}.png`), fullPage: true })
  await context.close()
}

async function closeAll(): Promise<void> {
  await closeBrowser()
  await closeDatabase()
}
