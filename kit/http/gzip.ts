import { crc32 } from 'node:zlib'
import type { Html } from '../text/html.ts'

const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff])
const blockHeadBytes = 5
const longestBlock = 0xffff
const sumsBytes = 8

/** Shared buffer. Streams are written one at a time, and the result is copied before the next one begins. */
let scratch = Buffer.allocUnsafe(64 * 1024)

/**
 * A page as a gzip stream (RFC 1952), one character per byte. Its blocks (RFC 1951) are the precompressed
 * blocks of the shared parts, with stored blocks between them.
 */
export function gzipHtmlPage({ pieces }: Html): string {
  reserve(pieces)
  let end = head.copy(scratch)
  let sum = 0
  let length = 0
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      end += piece.deflated.copy(scratch, end)
      sum = piece.sumAfter(sum)
      length += piece.bytes.length
    } else {
      for (let from = 0; from < piece.length; from += longestBlock) {
        const start = end + blockHeadBytes
        end = store(piece.length <= longestBlock ? piece : piece.slice(from, from + longestBlock), start)
        sum = crc32(scratch.subarray(start, end), sum)
      }
      length += piece.length
    }
  }
  end += lastBlock.copy(scratch, end)
  end = scratch.writeUInt32LE(sum, end)
  end = scratch.writeUInt32LE(length % 2 ** 32, end)
  return scratch.toString('latin1', 0, end)
}

function reserve(pieces: Html['pieces']): void {
  let bytes = head.length + lastBlock.length + sumsBytes
  for (const piece of pieces)
    bytes +=
      typeof piece === 'string'
        ? piece.length + blockHeadBytes * Math.ceil(piece.length / longestBlock)
        : piece.deflated.length
  if (bytes > scratch.length) scratch = Buffer.allocUnsafe(bytes)
}

/** Writes a stored block whose bytes begin at `start`. Returns the position after it. */
function store(bytes: string, start: number): number {
  scratch[start - blockHeadBytes] = 0
  scratch.writeUInt16LE(bytes.length, start - 4)
  scratch.writeUInt16LE(bytes.length ^ 0xffff, start - 2)
  return start + scratch.write(bytes, start, 'latin1')
}
