import type { Static } from 'typebox'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { Merchant } from '../merchants/index.ts'
import type { EncodedPicture } from '../pictures/index.ts'
import {
  encodePicture,
  maxPictureBytes,
  pictureTypes,
  replacePicture,
  unsupportedPictureType,
} from '../pictures/index.ts'
import type { Services } from '../services.ts'
import { productIdText, productResource, ShownProduct } from './product.ts'

/** The body is the image itself. Guarantee: the same image again leaves no trace. */
export const setProductImageRoute = route({
  method: 'POST',
  url: '/v1/products/:product_id/image',
  summary: { tr: 'Ürün görselini yükle', en: 'Set product image' },
  description: {
    tr: 'Ürünün görselini yükler ve ürünün tamamını döndürür. Önceki görselin yerine geçer. Görsel WebP olarak yeniden kaydedilir; içindeki ek bilgiler (konum, fotoğraf makinesi) saklanmaz. Hareketli bir görselin ilk karesi kullanılır. Ödeme sayfası, sonradan başlatılan ödemelerde görseli gösterir.',
    en: 'Sets the image of the product and returns the whole product. It replaces the previous image. The image is saved again as WebP; additional data in it (location, camera) is not kept. Of an animated image, the first frame is used. The payment page shows the image for payments that are started afterwards.',
  },
  credential: 'secret',
  params: objectSchema({ product_id: idField(productIdText) }),
  rawBody: {
    about: {
      tr: 'Görselin kendisi: PNG, JPEG veya WebP; en fazla 512 KiB, genişliği ve yüksekliği en fazla 1024 piksel.',
      en: 'The image itself: PNG, JPEG or WebP, at most 512 KiB, at most 1024 pixels wide and high.',
    },
    types: pictureTypes,
    unsupportedType: unsupportedPictureType,
    maxBytes: maxPictureBytes,
    convert: (services: Services, merchant: Merchant, bytes) =>
      encodePicture(services, merchant.id, bytes, 'cover'),
  },
  answer: bareResponseDefinition(ShownProduct),
  refusals: [unsupportedPictureType],
  handle: (services: Services, merchant: Merchant, { params, language, converted }) =>
    setProductImage(services, merchant, { id: params.product_id, language }, converted),
})

/** Gives the product this image, or none. Guarantee: the picture is stored and the product changed, or neither. */
export function setProductImage(
  services: Services,
  merchant: Merchant,
  request: { id: number; language: Language },
  picture: EncodedPicture | undefined,
): Promise<Static<typeof ShownProduct>> {
  return productResource.change(services, merchant, request, async (before, now, sql) => {
    await replacePicture(sql, { merchantId: merchant.id, digest: before.productImage }, picture, now)
    return { ...before, productImage: picture?.digest ?? null }
  })
}
