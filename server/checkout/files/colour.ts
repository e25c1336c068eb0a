/**
 * Colours derived from a merchant's colour so that all text is readable. The hue stays; the lightness changes
 * in OKLCH, where equal steps look equal, by as little as necessary.
 */
export interface Palette {
  /** Text and marks on card, ground, inset and the soft accent. */
  accent: string
  onAccent: string
  accentSoft: string
  /** Button and seller's mark: as close to the merchant's colour as possible. */
  button: string
  onButton: string
}

/** Backgrounds, as in look/tokens.css. */
export const themes = {
  light: { isDark: false, ink: '#0f1729', card: '#ffffff', ground: '#f6f8fb', inset: '#f0f3f8' },
  dark: { isDark: true, ink: '#e8edf6', card: '#141b29', ground: '#0c111b', inset: '#1b2435' },
}

export type Theme = (typeof themes)['light']

/** Minimum contrast of text. */
const readable = 4.5
/** Minimum contrast of a button with its card. It is lower in the light theme, so that yellow is allowed. */
const noticeable = { light: 1.5, dark: 3 }

const darkInk = '#0f1729'
const lightInk = '#ffffff'

/**
 * Guarantee: accent/onAccent, button/onButton and accent on each background have a contrast of at least 4.5.
 */
export function derivePalette(colour: string, theme: Theme): Palette {
  const own = toOklch(colour)
  const accentSoft = softened(own, theme)
  const grounds = [theme.card, theme.ground, theme.inset, accentSoft]
  const accent = adjustedUntil(own, theme, (each) => grounds.every((on) => contrast(each, on) >= readable))
  const seen = noticeable[theme.isDark ? 'dark' : 'light']
  const button = adjustedUntil(
    own,
    theme,
    (each) => contrast(each, theme.card) >= seen && contrast(inkOn(each), each) >= readable,
  )
  return { accent, onAccent: inkOn(accent), accentSoft, button, onButton: inkOn(button) }
}

/** Contrast ratio as defined by WCAG: 1 for equal colours, 21 for black on white. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

interface Oklch {
  lightness: number
  chroma: number
  hue: number
}

/** White if readable, as most brands use it; otherwise dark. */
function inkOn(colour: string): string {
  return contrast(lightInk, colour) >= readable ? lightInk : darkInk
}

/** Pale tint of the colour. */
function softened({ chroma, hue }: Oklch, { isDark }: Theme): string {
  return isDark
    ? toHex({ lightness: 0.27, chroma: Math.min(chroma, 0.045), hue })
    : toHex({ lightness: 0.965, chroma: Math.min(chroma, 0.022), hue })
}

const step = 0.005
/** Colours with less chroma look grey. */
const greyish = 0.04

/**
 * Nearest fitting colour towards black or white. A grey that does not fit would look disabled: use the ink.
 */
function adjustedUntil(own: Oklch, { isDark, ink }: Theme, isFine: (colour: string) => boolean): string {
  const direction = isDark ? 1 : -1
  for (let lightness = own.lightness; lightness > 0 && lightness < 1; lightness += direction * step) {
    const colour = toHex({ ...own, lightness })
    if (isFine(colour)) return colour
    if (own.chroma < greyish) return ink
  }
  return ink
}

function channels(colour: string): [number, number, number] {
  const channel = (start: number) => Number.parseInt(colour.slice(start, start + 2), 16) / 255
  return [linear(channel(1)), linear(channel(3)), linear(channel(5))]
}

function linear(share: number): number {
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Björn Ottosson's matrices, 2021. */
function toOklch(colour: string): Oklch {
  const [red, green, blue] = channels(colour)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  }
}

/** Nearest colour that a screen can show: the chroma is reduced, not the hue. */
function toHex({ lightness, chroma, hue }: Oklch): string {
  for (let part = chroma; ; part -= 0.004) {
    const rgb = toLinear(lightness, Math.max(part, 0), hue)
    if (part > 0 && rgb.some((share) => share < -0.0005 || share > 1.0005)) continue
    return `#${rgb.map(hexOf).join('')}`
  }
}

function toLinear(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function hexOf(share: number): string {
  const clipped = Math.min(1, Math.max(0, share))
  const shown = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055
  return Math.round(shown * 255)
    .toString(16)
    .padStart(2, '0')
}
