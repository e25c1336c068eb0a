import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { Refused } from '../../kit/input/refusals.ts'
import { runAfterPendingIo } from '../../kit/runtime/clock.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
import { testApi } from '../../testing/harness/api.ts'
import { repetitions } from '../../testing/harness/tier.ts'
import { drawing, noise, png, svgPicture } from '../../testing/pictures/sample-pictures.ts'
import { encodePicture, encodingTimeoutMs, writeAndRead } from './encode-picture.ts'
import { maxPicturesPerMerchant } from './encoding-queue.ts'
import { tileSide } from './picture.ts'

const { services, clock, merchant, lines } = await testApi()

const encode = (bytes: Buffer, fit: 'cover' | 'contain' = 'cover') =>
  encodePicture(services, merchant.id, bytes, fit)

/** Sentence with which a picture is refused, or the code of another refusal. */
async function refusalOf(bytes: Buffer, own = services): Promise<string | undefined> {
  const error: unknown = await encodePicture(own, merchant.id, bytes, 'cover').then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error === undefined) return undefined
  assert.ok(error instanceof Refused, String(error))
  return error.complaints?.get('image')?.[0]?.en ?? String(error.refusal.code)
}

/** Refusals of pictures that are sent at the same time. */
const refusalsOf = (pictures: readonly Buffer[]) => Promise.all(pictures.map((bytes) => refusalOf(bytes)))

/** One drawing in each format. */
const drawings = (width?: number, height?: number) => {
  const drawn = drawing(width, height)
  return Promise.all([drawn.png().toBuffer(), drawn.jpeg().toBuffer(), drawn.webp().toBuffer()])
}

const originals = await drawings()
const costly = await noise(1024, 1024).jpeg({ quality: 75 }).toBuffer()

const unreadable = 'Must be a readable PNG, JPEG or WebP image.'
const tooManyPixels = 'Must be at most 1024 pixels wide and high.'

async function pixelOf(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const area = sharp(bytes).extract({ left, top, width: 1, height: 1 })
  return [...(await area.raw().toBuffer())]
}

function assertNear(actual: readonly number[], wanted: readonly number[]): void {
  const isNear = wanted.every((value, index) => Math.abs(value - (actual[index] ?? -1)) <= 12)
  assert.ok(isNear && actual.length === wanted.length, `${actual} is not near ${wanted}`)
}

const red = [204, 51, 51]
const white = [255, 255, 255]

describe('a picture', () => {
  it('of each format becomes a WebP of its size, and a square tile', async () => {
    for (const { whole, tile, digest } of await Promise.all(originals.map((bytes) => encode(bytes)))) {
      const [shown, small] = [await sharp(whole).metadata(), await sharp(tile).metadata()]
      assert.deepEqual([shown.format, shown.width, shown.height], ['webp', 600, 400])
      assert.deepEqual(
        [small.format, small.width, small.height, small.hasAlpha],
        ['webp', tileSide, tileSide, false],
      )
      assert.match(digest, /^[\w-]{43}$/)
      assert.ok(tile.length < 4_000)
    }
  })

  it('gives the same bytes each time', async () => {
    const bytes = await png(60, 40)
    const [first, second] = await Promise.all([encode(bytes), encode(bytes)])
    assert.deepEqual(first, second)
  })

  it('fills the tile of a product; a logo is whole in it, on white', async () => {
    const bytes = await png(600, 200)
    assertNear(await pixelOf((await encode(bytes, 'cover')).tile, 2, 2), red)
    const { tile } = await encode(bytes, 'contain')
    assertNear(await pixelOf(tile, 2, 2), white)
    assertNear(await pixelOf(tile, 2, tileSide / 2), red)
  })

  it('keeps its transparency, but not in the tile', async () => {
    const background = { r: 0, g: 0, b: 0, alpha: 0 }
    const clear = sharp({ create: { width: 64, height: 64, channels: 4, background } })
    const { whole, tile } = await encode(await clear.png().toBuffer())
    assert.equal((await pixelOf(whole, 1, 1))[3], 0)
    assertNear(await pixelOf(tile, 1, 1), white)
  })

  it('loses its metadata, after it is turned upright and brought to sRGB', async () => {
    const exif = { IFD0: { Copyright: 'Ada', ImageDescription: 'home address' } }
    const turned = drawing().withExif(exif).withMetadata({ orientation: 6 }).withIccProfile('p3')
    const { whole } = await encode(await turned.jpeg().toBuffer())
    const { width, height, exif: kept, icc, xmp, orientation } = await sharp(whole).metadata()
    assert.deepEqual(
      [width, height, kept, icc, xmp, orientation],
      [400, 600, undefined, undefined, undefined, undefined],
    )
  })

  it('may be in CMYK, of 16 bits, grey, moving, or one pixel small', async () => {
    const frames = [png(80, 60), drawing(80, 60).negate().png().toBuffer()]
    const pictures = await Promise.all([
      drawing().toColourspace('cmyk').jpeg().toBuffer(),
      drawing().toColourspace('rgb16').png().toBuffer(),
      drawing().greyscale().toColourspace('b-w').png().toBuffer(),
      sharp(await Promise.all(frames), { join: { animated: true } })
        .webp()
        .toBuffer(),
      png(1, 1),
    ])
    for (const { whole } of await Promise.all(pictures.map((bytes) => encode(bytes)))) {
      const { space, depth, pages } = await sharp(whole).metadata()
      assert.deepEqual([space, depth, pages], ['srgb', 'uchar', undefined])
    }
  })

  it('of the largest size and the most costly contents is encoded within the limits', async () => {
    const { whole } = await encode(costly)
    assert.ok(whole.length > 400_000)
  })
})

describe('422', () => {
  it('a JPEG of very many scans, each of which costs a pass over all pixels, is refused', async () => {
    await encode(await drawing().jpeg({ progressive: true }).toBuffer())
    await encode(scannedJpeg(100))
    assert.match((await refusalOf(scannedJpeg(101))) ?? '', /^This image takes too much time or memory/)
  })

  it('a file that is no PNG, JPEG or WebP is refused', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('<html>'),
      svgPicture,
      await drawing().gif().toBuffer(),
      await drawing().tiff().toBuffer(),
      await drawing().avif().toBuffer(),
      Buffer.from('%PDF-1.7'),
    ])
      assert.equal(await refusalOf(bytes), unreadable)
  })

  it('a file that only begins like a picture is refused', async () => {
    const starts = originals.map((bytes) => Buffer.concat([bytes.subarray(0, 12), svgPicture]))
    assert.deepEqual(await refusalsOf(starts), [unreadable, unreadable, unreadable])
  })

  it('a picture that ends early is refused', async () => {
    const cut = originals.map((bytes) => bytes.subarray(0, bytes.length * 0.6))
    assert.deepEqual(await refusalsOf(cut), [unreadable, unreadable, unreadable])
  })

  it('one pixel too many is refused', async () => {
    const pictures = await Promise.all([png(1024, 3), png(1025, 3), png(3, 1025)])
    assert.deepEqual(await refusalsOf(pictures), [undefined, tooManyPixels, tooManyPixels])
  })

  it('a small file with huge dimensions is refused before it is decoded', async () => {
    const pictures = [hugePng(30_000, 30_000), hugePng(2_000_000_000, 2_000_000_000)]
    assert.deepEqual(await refusalsOf(pictures), [tooManyPixels, unreadable])
  })

  it('bytes behind a picture do not survive', async () => {
    const { whole, tile } = await encode(
      Buffer.concat([await png(60, 40), Buffer.from('<script>alert(1)</script>')]),
    )
    for (const bytes of [whole, tile]) assert.ok(!bytes.includes('<script'))
  })

  it('damaged pictures are each encoded or refused', async () => {
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const small = await drawings(64, 48)
    for (let round = 0; round < repetitions(3); round++) {
      const damaged = small.map((original) => {
        const bytes = Buffer.from(original)
        for (let change = 0; change <= next(6); change++) bytes[next(bytes.length)] = next(256)
        return bytes
      })
      for (const refusal of await refusalsOf(damaged))
        assert.ok([undefined, unreadable, tooManyPixels].includes(refusal), `round ${round}: ${refusal}`)
    }
  })
})

describe('the process that encodes', () => {
  it('is ended when it takes too long', async () => {
    const [pid, answer] = await stoppedProcess()
    clock.advance(encodingTimeoutMs)
    assert.equal(await answer, '991', 'the picture may be right')
    await untilEnded(pid)
    assert.match(lines.at(-1) ?? '', /"level":"warn".*ended without a result/)
  })

  it('is ended by the operator: the caller may try again', async () => {
    const [pid, answer] = await stoppedProcess()
    process.kill(pid, 'SIGKILL')
    assert.equal(await answer, '991')
    await untilEnded(pid)
    assert.equal(await refusalOf(await png(8, 8)), undefined)
  })

  it('is ended by a limit: the picture is refused', async () => {
    const [pid, answer] = await stoppedProcess()
    process.kill(pid, 'SIGXCPU')
    process.kill(pid, 'SIGCONT')
    assert.match(String(await answer), /^This image takes too much time or memory/)
  })

  it('is ended when the service stops, and no picture that waits begins', async () => {
    const own = { ...services, tasks: new TaskGroup() }
    const [pid, answer] = await stoppedProcess(own)
    const small = await png(8, 8)
    const waiting = Array.from({ length: maxPicturesPerMerchant - 1 }, () => refusalOf(small, own))
    assert.equal(await refusalOf(small, own), '991', 'one too many')
    own.tasks.end()
    process.kill(pid, 'SIGCONT')
    assert.deepEqual(new Set(await Promise.all([answer, ...waiting])), new Set(['991']))
    await own.tasks.drain()
    assert.deepEqual(processes(), [])
  })

  it('has a low priority, and none of our settings', async () => {
    const [pid, answer] = await stoppedProcess()
    const priority = getPriority(pid)
    const environment = execFileSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    process.kill(pid, 'SIGKILL')
    assert.equal(await answer, '991')
    assert.equal(priority, Math.min(getPriority() + 10, 19))
    assert.match(environment, /MALLOC_ARENA_MAX/)
    assert.doesNotMatch(environment, /VEZNE|DATABASE|HOME=/)
  })

  const skip = process.platform === 'linux' ? false : 'reads the limits of a process in /proc'
  it('has limits of processor time, memory and files', { skip }, async () => {
    const [pid, answer] = await stoppedProcess()
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
    process.kill(pid, 'SIGKILL')
    assert.equal(await answer, '991')
    for (const [name, soft] of [
      ['cpu time', 10],
      ['data size', 256 * 1024 * 1024],
      ['file size', 0],
      ['core file size', 0],
    ])
      assert.match(limits, new RegExp(`^Max ${name} +${soft} `, 'm'))
  })

  it('is ended when it writes more than two pictures can have', async () => {
    const endless = spawn('head', ['-c', '20000000', '/dev/zero'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const output = await writeAndRead(endless, Buffer.alloc(0))
    assert.deepEqual([endless.signalCode, output.length <= 8 * 1024 * 1024], ['SIGXCPU', true])
  })

  it('reads no other format, even one that its library knows', async () => {
    const program = join(import.meta.dirname, 'encode-process.mjs')
    for (const input of [svgPicture, await drawing(60, 40).gif().toBuffer()]) {
      const { stdout } = spawnSync(process.execPath, [program, '1024', '128', 'cover'], { input })
      assert.equal(JSON.parse(String(stdout)).fault, 'unreadable')
    }
  })
})

/** Ids of this process's processes that encode. Their shells, which set the limits first, do not count. */
function processes(): number[] {
  const all = execFileSync('ps', ['-ax', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return all.split('\n').flatMap((line) => {
    const [, pid, parent, args = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    const isEncoding = args.startsWith(process.execPath) && args.includes('encode-process')
    return isEncoding && Number(parent) === process.pid ? [Number(pid)] : []
  })
}

/** A killed process is in the list until the system has removed it. */
async function untilEnded(pid: number): Promise<void> {
  while (processes().includes(pid)) await new Promise<void>((resolve) => runAfterPendingIo(resolve))
}

/** A process that stands still while it encodes the most costly picture, and the answer to its caller. */
async function stoppedProcess(own = services): Promise<[number, Promise<string | undefined>]> {
  const answer = refusalOf(costly, own)
  let isAnswered = false
  const end = () => {
    isAnswered = true
  }
  answer.then(end, end)
  for (;;) {
    assert.ok(!isAnswered, 'the encoding ended before its process was seen')
    const [pid] = processes()
    if (pid !== undefined) {
      process.kill(pid, 'SIGSTOP')
      return [pid, answer]
    }
    await new Promise<void>((resolve) => runAfterPendingIo(resolve))
  }
}

/** A grey JPEG of one block with this number of scans: one for the mean, and the others for nothing. */
function scannedJpeg(scans: number): Buffer {
  const quantisation = `ffdb004300${'01'.repeat(64)}`
  const progressive = 'ffc2000b080008000801011100'
  const codeOfZero = (table: string) => `ffc40014${table}01${'00'.repeat(15)}00`
  const scan = (first: string) => `ffda0008010100${first}${first}007f`
  const more = Array.from({ length: scans - 1 }, () => scan('01'))
  return Buffer.from(
    ['ffd8', quantisation, progressive, codeOfZero('00'), codeOfZero('10'), scan('00'), ...more, 'ffd9'].join(
      '',
    ),
    'hex',
  )
}

/** A PNG that names these dimensions and holds one line. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(3_000))),
    chunk('IEND'),
  ])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
