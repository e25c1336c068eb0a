import { command, WrongUsage } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { booleanField, filePathField, integerField, objectSchema, optional } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { requireMerchant } from '../merchants/index.ts'
import { encodePictureFile } from '../pictures/index.ts'
import type { Services } from '../services.ts'
import { setProductImage } from './set-product-image.ts'
import { merchantOfProduct } from './store.ts'

export const productImageCommand = command({
  positionals: ['product', 'file'],
  input: objectSchema({
    product: integerField('Id of the product.', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    file: optional(
      filePathField('PNG, JPEG or WebP picture, at most 512 KiB and 1024 pixels wide and high.'),
    ),
    remove: optional(booleanField('Removes the image.')),
  }),
  run: async (services: Services, { product: id, file, remove = false }, print) => {
    if ((file === undefined) !== remove) throw new WrongUsage('Give a file, or --remove.')
    const merchantId = await merchantOfProduct(services.sql, id)
    if (merchantId === undefined)
      throw invalidParameter('product', {
        tr: 'Bu numarayla bir ürün yok.',
        en: 'There is no product with this ID.',
      })
    const merchant = await requireMerchant(services, merchantId)
    const request = { id, language: merchant.language }
    const picture =
      file === undefined ? undefined : await encodePictureFile(services, merchantId, file, 'cover')
    const { product_name: name, product_image: image } = await setProductImage(
      services,
      merchant,
      request,
      picture,
    )
    const named = `Product ${id} (${terminalSafeText(name)})`
    print(image === null ? `${named} has no image.` : `${named} has this image: ${image}`)
  },
})
