import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../testing/harness/tier.ts'
import { contrast, derivePalette, themes } from './colour.ts'
import { colourStyle } from './styles.ts'

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const modes = Object.entries(themes)

describe('a merchant’s colour', () => {
  it('has readable contrast as text and as background, for any colour', () => {
    const extremes = ['#000000', '#ffffff', '#ffcc00', '#111111', '#e30a17', '#00ff00', '#0000ff', '#f0f0f0']
    fc.assert(
      fc.property(colour, (each) => {
        for (const [mode, paper] of modes) {
          const { accent, onAccent, accentSoft, button, onButton } = derivePalette(each, paper)
          const pairs = [
            ...[paper.card, paper.ground, paper.inset, accentSoft].map((ground) => [accent, ground]),
            [onAccent, accent],
            [onButton, button],
            [paper.ink, accentSoft],
          ]
          for (const [ink = '', ground = ''] of pairs)
            assert.ok(contrast(ink, ground) >= 4.5, `${mode} of ${each}: ${ink} on ${ground}`)
          assert.ok(contrast(button, paper.card) >= (paper.isDark ? 3 : 1.5), `${mode}: ${each} is not seen`)
        }
      }),
      { numRuns: repetitions(500), examples: extremes.map((each) => [each]) },
    )
  })

  it('is unchanged on the button if it is readable there', () => {
    for (const each of ['#ffcc00', '#e30a17', '#0b5fff', '#111111'])
      assert.equal(derivePalette(each, themes.light).button, each)
    assert.equal(derivePalette('#ffcc00', themes.dark).button, '#ffcc00')
  })

  it('keeps its hue if it is darkened', () => {
    const { accent } = derivePalette('#ffcc00', themes.light)
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      Number.parseInt(accent.slice(at, at + 2), 16),
    )
    assert.ok(red > green && green > blue + 40, accent)
  })

  it('is measured against the backgrounds in look/tokens.css', () => {
    const tokens = readFileSync(join(import.meta.dirname, '..', '..', '..', 'look', 'tokens.css'), 'utf8')
    const parts = tokens.split('@media (prefers-color-scheme: dark)')
    for (const [index, [, paper]] of modes.entries())
      for (const name of ['ink', 'card', 'ground', 'inset'] as const)
        assert.ok(parts[index]?.includes(`--${name}: ${paper[name]};`), `${name} ${paper[name]}`)
  })

  it('gives a light and a dark style', () => {
    assert.match(
      colourStyle('#e30a17').markup.text,
      /^<style data-colour="#e30a17">:root\{--accent:#[\s\S]*--button:#e30a17;[\s\S]*dark\)\{:root\{--accent:#/,
    )
  })

  it('gives its own style', () => {
    assert.match(colourStyle('#e30a17').markup.text, /--button:#e30a17/)
    assert.match(colourStyle('#0b5fff').markup.text, /--button:#0b5fff/)
  })
})
