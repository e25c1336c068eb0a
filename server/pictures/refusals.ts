import type { Refusal } from '../../kit/input/refusals.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { maxPictureSide } from './picture.ts'

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

export const unsupportedPictureType: Refusal = {
  code: 900,
  status: 415,
  tr: 'Görselin içerik türü desteklenmiyor. Görseli PNG, JPEG veya WebP olarak gönderin.',
  en: 'The content type of the image is not supported. Send the image as PNG, JPEG or WebP.',
  when: {
    tr: 'Bir görsel `image/png`, `image/jpeg` veya `image/webp` dışında bir içerik türüyle gönderildi.',
    en: 'An image was sent with a content type other than `image/png`, `image/jpeg` or `image/webp`.',
  },
}

export type PictureFault = 'unreadable' | 'too many pixels' | 'too costly'

const sentences: Readonly<Record<PictureFault, LocalizedText>> = {
  unreadable: {
    tr: 'Okunabilir bir PNG, JPEG veya WebP görseli olmalıdır.',
    en: 'Must be a readable PNG, JPEG or WebP image.',
  },
  'too many pixels': {
    tr: `Genişliği ve yüksekliği en fazla ${maxPictureSide} piksel olmalıdır.`,
    en: `Must be at most ${maxPictureSide} pixels wide and high.`,
  },
  'too costly': {
    tr: 'Bu görselin işlenmesi çok fazla süre veya bellek gerektiriyor. Görseli yeniden kaydedip gönderin.',
    en: 'This image takes too much time or memory to read. Save it again and send it.',
  },
}

/** Name under which a picture is refused: `image` for a request, `file` for a command. */
export type PictureParameter = 'image' | 'file'

export function refusePicture(parameter: PictureParameter, fault: PictureFault): never {
  throw invalidParameter(parameter, sentences[fault])
}
