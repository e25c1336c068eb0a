import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { encodePicture } from './encode-picture.ts'
import type { EncodedPicture, PictureFit } from './picture.ts'
import { maxPictureBytes } from './picture.ts'

type Needs = Parameters<typeof encodePicture>[0]

/** Encodes the picture in a file that an operator names. Every refusal names the parameter `file`. */
export async function encodePictureFile(
  services: Needs,
  merchantId: number,
  path: string,
  fit: PictureFit,
): Promise<EncodedPicture> {
  return encodePicture(services, merchantId, await readPictureFile(path), fit, 'file')
}

/** A file that is too large is not read to its end. */
async function readPictureFile(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw invalidParameter('file', {
      tr: `Dosya açılamıyor (${error.code}).`,
      en: `The file cannot be opened (${error.code}).`,
    })
  })
  try {
    // A pipe gives its bytes in parts.
    const bytes = await buffer(file.createReadStream({ end: maxPictureBytes }))
    if (bytes.length <= maxPictureBytes) return bytes
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
