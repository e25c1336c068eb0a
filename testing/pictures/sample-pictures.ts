import sharp from 'sharp'

const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#c33"/><circle cx="300" cy="200" r="120" fill="#fc3"/></svg>`,
)

/** A drawing of this size: red, with a yellow circle. */
export function drawing(width = 600, height = 400): ReturnType<typeof sharp> {
  return sharp(svg).resize(width, height, { fit: 'fill' })
}

/** Noise, the most costly contents. */
export function noise(width: number, height: number): ReturnType<typeof sharp> {
  const gaussian = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  return sharp({ create: { width, height, channels: 3, background: '#888', noise: gaussian } })
}

export function png(width?: number, height?: number): Promise<Buffer> {
  return drawing(width, height).png().toBuffer()
}

export { svg as svgPicture }
