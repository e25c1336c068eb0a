/**
 * Our own pictures for names: letters on a plain background. They are not logos, so no permission is needed
 * and none looks official.
 */

/** Background colours. White letters have a contrast of at least 4.5:1 on each. */
export const colours = {
  navy: '#1e3a7b',
  blue: '#2258b8',
  indigo: '#4b45b2',
  plum: '#7c3675',
  red: '#b0303a',
  amber: '#8f5a0a',
  green: '#0a7a4e',
  teal: '#0f6c78',
  slate: '#4d586b',
} as const

export type Colour = keyof typeof colours

/** A square tile, or the shape of a card. */
export type Shape = 'tile' | 'card'

const sizes = {
  tile: { width: 48, height: 48, radius: 12 },
  card: { width: 48, height: 32, radius: 6 },
} as const

const font = "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/** Font sizes by number of letters: they fill the background and stay clear of its edges in any font. */
const letterSizes: Readonly<Record<Shape, readonly number[]>> = { tile: [24, 19, 14], card: [17, 15, 13] }

/** Height of a capital relative to the font size, in the fonts of most systems. */
const capitalHeight = 0.72

export interface Monogram {
  /** The whole name, for readers who cannot see the picture or do not know the letters. */
  title: string
  /** One to three letters. */
  letters: string
  colour: Colour
  shape: Shape
}

export function monogram({ title, letters, colour, shape }: Monogram): string {
  const { width, height } = sizes[shape]
  const size = letterSizes[shape][[...letters].length - 1]
  if (size === undefined) throw new Error(`${letters} are not one to three letters`)
  // Centred by the capitals, not by the line, which includes room for descenders.
  const foot = Number((height / 2 + (size * capitalHeight) / 2).toFixed(1))
  const text = `<text x="${width / 2}" y="${foot}" fill="#fff" font-family="${font}" font-size="${size}" font-weight="600" text-anchor="middle">${escaped(letters)}</text>`
  return picture(title, colour, shape, text)
}

/** Picture of an unknown bank. */
export function genericBankIcon(title: string): string {
  const roof = '<path d="M24 12 37 19.5H11Z"/>'
  const columns = '<path d="M14.5 24v8M21 24v8M27 24v8M33.5 24v8" stroke-width="3"/>'
  const floor = '<path d="M12 36.5h24" stroke-width="3"/>'
  return picture(title, 'slate', 'tile', drawn(`${roof}${columns}${floor}`))
}

/** Picture of an unknown card. */
export function genericCardIcon(title: string): string {
  const edge = '<rect x="11.5" y="15.5" width="25" height="17.5" rx="3" fill="none"/>'
  const stripe = '<path d="M12 21.5h24" stroke-width="3" stroke-linecap="butt"/>'
  const digits = '<path d="M16 28.5h5"/>'
  return picture(title, 'slate', 'tile', drawn(`${edge}${stripe}${digits}`))
}

function drawn(inside: string): string {
  return `<g fill="#fff" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${inside}</g>`
}

function picture(title: string, colour: Colour, shape: Shape, inside: string): string {
  const { width, height, radius } = sizes[shape]
  const ground = `<rect width="${width}" height="${height}" rx="${radius}" fill="${colours[colour]}"/>`
  // Invisible on a light page; on a dark page it separates dark backgrounds from it.
  const edge = `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${radius - 0.5}" fill="none" stroke="#fff" stroke-opacity=".12"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escaped(title)}</title>${ground}${edge}${inside}</svg>`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
