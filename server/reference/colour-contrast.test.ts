import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const look = readFileSync(join(import.meta.dirname, '..', '..', 'look', 'tokens.css'), 'utf8')
const [light = '', dark = ''] = look.split('@media (prefers-color-scheme: dark)')

const colours = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )

/** Relative luminance, as WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

it('text is readable on all its backgrounds, in light and in dark', () => {
  const inks = ['ink', 'muted', 'accent', 'success', 'danger', 'warning']
  const pairs = [
    ...inks.flatMap((ink) => ['card', 'ground'].map((ground) => [ink, ground])),
    ...['ink', 'muted', 'accent'].map((ink) => [ink, 'inset']),
    ...['ink', 'accent'].map((ink) => [ink, 'accent-soft']),
    ...['success', 'danger', 'warning'].map((ink) => [ink, `${ink}-soft`]),
    ['on-accent', 'accent'],
  ]
  for (const [mode, found] of Object.entries({ light: colours(light), dark: colours(dark) })) {
    for (const [ink = '', ground = ''] of pairs) {
      const ratio = contrast(found[ink] ?? '', found[ground] ?? '')
      assert.ok(ratio >= 4.5, `${mode}: ${ink} on ${ground} is ${ratio.toFixed(2)}`)
    }
    for (const ground of ['card', 'ground']) {
      const border = contrast(found['line-strong'] ?? '', found[ground] ?? '')
      assert.ok(border >= 3, `${mode}: the border of a field on ${ground} is ${border.toFixed(2)}`)
    }
  }
})

it('every colour of the light theme has one in the dark theme', () => {
  assert.deepEqual(Object.keys(colours(dark)), Object.keys(colours(light)))
})
