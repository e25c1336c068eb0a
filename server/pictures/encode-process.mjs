// Decodes the picture on its input and writes it again: a line of JSON, then the bytes of the two pictures that the line
// announces. It runs alone in a process with limits, see encode-picture.ts. Plain JavaScript: the process runs without a
// compiler, and the stripper of types is WebAssembly, which needs one.
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

const [maxSide, tileSide, fit] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]]

// The library has many decoders. Only these three can be reached.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

const white = { r: 255, g: 255, b: 255 }
const webp = { quality: 82, smartSubsample: true }

/** Upright and in sRGB, without metadata. Of a moving picture this is the first frame. */
const opened = (bytes) =>
  sharp(bytes, { failOn: 'error', limitInputChannels: 5 }).autoOrient().toColourspace('srgb')

async function encode(bytes) {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width > maxSide || height > maxSide) return { fault: 'too many pixels' }
  const whole = await opened(bytes).webp(webp).toBuffer()
  // Opaque, so that it hides the letter below it and a dark logo is seen on a dark page.
  const tile = await opened(bytes)
    .resize(tileSide, tileSide, { fit, background: white })
    .flatten({ background: white })
    .webp(webp)
    .toBuffer()
  return { pictures: [whole, tile] }
}

// The library throws for every file that it cannot read.
const { fault, pictures = [] } = await encode(await buffer(process.stdin)).catch(() => ({
  fault: 'unreadable',
}))
const line = { fault, lengths: pictures.map(({ length }) => length) }
process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), ...pictures]))
