import assert from 'node:assert/strict'
import { it } from 'node:test'
import { colours, genericBankIcon, genericCardIcon, monogram } from './monogram.ts'

it('white letters are readable on every colour', () => {
  for (const [name, colour] of Object.entries(colours)) {
    const contrast = 1.05 / (luminanceOf(colour) + 0.05)
    assert.ok(contrast >= 4.5, `${name} has ${contrast.toFixed(2)}:1`)
  }
})

it('a picture contains the whole name, with any characters', () => {
  const nasty = `</title><script>alert('1 & "2"')</script>`
  const picture = monogram({ title: nasty, letters: '<&"', colour: 'navy', shape: 'card' })
  for (const each of [picture, genericBankIcon(nasty), genericCardIcon(nasty)]) {
    assert.match(
      each,
      /^<svg [^>]*><title>&#60;\/title&#62;[^<>]*<\/title>(<(\w+)[^<>]*(\/>|>[^<>]*<\/\2>)|<\/?g[^<>]*>)+<\/svg>$/,
    )
    assert.ok(!each.includes('<script'))
  }
})

it('more letters are smaller, and more than three throw', () => {
  const sizeOf = (letters: string) => {
    const picture = monogram({ title: 'A', letters, colour: 'red', shape: 'tile' })
    return Number(/font-size="(\d+)"/.exec(picture)?.[1])
  }
  const [one = 0, two = 0, three = 0] = ['Ş', 'İB', 'QNB'].map(sizeOf)
  assert.ok(one > two && two > three && three > 0)
  assert.throws(() => sizeOf('HSBC'), /one to three/)
  assert.throws(() => sizeOf(''), /one to three/)
})

/** Relative luminance by WCAG. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
