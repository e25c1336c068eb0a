import { open } from 'node:fs/promises'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { maxPictureBytes } from './picture.ts'

/** The bytes of a picture that an operator names. A file that is too large is not read to its end. */
export async function readPictureFile(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalidParameter('file', {
      tr: `Dosya açılamıyor (${error.code}).`,
      en: `The file cannot be opened (${error.code}).`,
    })
  })
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxPictureBytes + 1))
    if (bytesRead <= maxPictureBytes) return buffer.subarray(0, bytesRead)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw invalidParameter('file', {
      tr: `Dosya okunamıyor (${code}).`,
      en: `The file cannot be read (${code}).`,
    })
  } finally {
    await file.close()
  }
  throw invalidParameter('file', { tr: 'Dosya 512 KiB’den büyük.', en: 'The file is larger than 512 KiB.' })
}
