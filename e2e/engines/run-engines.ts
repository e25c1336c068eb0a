import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { secondsText } from '../../scripts/test/report.ts'
import type { Environment } from '../../server/config.ts'
import { installPackage } from '../../testing/harness/install-package.ts'
import { chromium } from './chromium.ts'
import type { Engine, EngineKind } from './engine.ts'
import { firefox } from './firefox.ts'
import type { EngineScenario } from './scenarios.ts'
import { engineScenarios } from './scenarios.ts'
import { webKit } from './webkit.ts'

export interface EngineRunOptions {
  env: Environment
  install?: boolean | undefined
  dark?: boolean | undefined
  /** Folder for pictures. */
  pictures?: string | undefined
  /** Ends the output, because the run is interrupted. */
  signal: AbortSignal
}

export interface EngineTable {
  text: string
  isGood: boolean
}

/** Column of the table: the results of an engine in the order of the scenarios. */
interface EngineColumn {
  title: string
  cells: string[]
  isGood: boolean
}

/** Plays all scenarios in all engines of this machine, the engines at the same time. */
export async function runEngines(options: EngineRunOptions): Promise<EngineTable> {
  const kinds = [chromium, firefox, webKit].map((kind) => ({ kind, isThere: isThere(kind, options) }))
  const there = kinds.filter((each) => each.isThere)
  const columns = await Promise.all(there.map(({ kind }) => runEngine(kind, options)))
  const missing = kinds.filter((each) => !each.isThere).map(({ kind }) => missingText(kind))
  return {
    text: [...rowsOf(columns), ...missing].map((line) => `${line}\n`).join(''),
    isGood: columns.every(({ isGood }) => isGood),
  }
}

async function runEngine(kind: EngineKind, options: EngineRunOptions): Promise<EngineColumn> {
  const column: EngineColumn = { title: kind.name, cells: [], isGood: true }
  try {
    const engine = await kind.start({ env: options.env, isDark: options.dark === true })
    column.title = engine.name
    for (const scenario of engineScenarios) await addCell(column, engine, scenario, options)
    await engine.close()
  } catch (error) {
    process.stdout.write(`✖ ${kind.name}: ${inspect(error)}\n`)
    column.isGood = false
  }
  return column
}

/** True if the engine is on this machine, if wanted after its installation. */
function isThere(kind: EngineKind, { install }: EngineRunOptions): boolean {
  if (kind.isInstalled() || install !== true) return kind.isInstalled()
  try {
    for (const name of kind.packages) installPackage(name)
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
  }
  return kind.isInstalled()
}

const missingText = ({ name, packages }: EngineKind) =>
  `${name} is not on this machine, so nothing ran in it. Its Debian packages: ${packages.join(', ')}.`

async function addCell(
  column: EngineColumn,
  engine: Engine,
  scenario: EngineScenario,
  { pictures, signal }: EngineRunOptions,
): Promise<void> {
  const startedAt = performance.now()
  const fault = await play(engine, scenario, pictures).then(
    () => '',
    (error: unknown) => inspect(error),
  )
  if (signal.aborted) return
  const cell = `${fault === '' ? '✔' : '✖'} ${secondsText(performance.now() - startedAt)}`
  column.cells.push(cell)
  column.isGood &&= fault === ''
  process.stdout.write(`${cell} ${engine.name}: ${scenario.name}\n${fault}${fault && '\n'}`)
}

/** Plays one scenario in a new window. Fails if the browser reports an error. */
async function play(engine: Engine, scenario: EngineScenario, pictures?: string): Promise<void> {
  const window = await engine.openWindow(scenario.width, scenario.height)
  const show = async (name: string) => {
    if (pictures === undefined) return
    const file = `${scenario.name} ${name} ${engine.name}`.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-')
    writeFileSync(join(pictures, `${file}.png`), await window.picture())
  }
  let wrong: string[] = []
  try {
    await scenario.play(window, show).catch(async (error) => {
      await show('fault').catch(() => undefined)
      throw error
    })
  } finally {
    wrong = await window.close()
  }
  if (wrong.length > 0) throw new Error(`the browser complains:\n${wrong.join('\n')}`)
}

function rowsOf(columns: readonly EngineColumn[]): string[] {
  const rows = [
    ['', ...columns.map(({ title }) => title)],
    ...engineScenarios.map(({ name }, row) => [name, ...columns.map(({ cells }) => cells[row] ?? '✖')]),
  ]
  return rows.map((row) =>
    row
      .map((text) => text.padEnd(26))
      .join('')
      .trimEnd(),
  )
}
