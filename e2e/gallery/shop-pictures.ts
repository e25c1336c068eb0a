import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { WindowOptions } from '../browser.ts'
import { openContext } from '../browser.ts'
import { goToPayment, paymentPage, payWithCard } from '../demo-shop.ts'
import { demoUrl } from '../shop.ts'

/** Picture of the demo shop, with the steps that lead to it. */
interface ShopPicture {
  file: string
  seat: WindowOptions
  reach(page: Page): Promise<void>
}

/** Pictures that docs/integrate/demo-shop.md shows. */
const pictures: readonly ShopPicture[] = [
  {
    file: 'demo-shop.png',
    seat: { language: 'en', width: 1280, height: 900 },
    reach: async (page) => {
      await goToPayment(page, 'here')
      await page.locator('.entry', { hasText: 'ready' }).first().waitFor()
    },
  },
  {
    file: 'demo-shop-phone-dark.png',
    seat: { language: 'tr', width: 375, height: 740, touch: true, dark: true },
    reach: async (page) => {
      await goToPayment(page, 'here')
      await payWithCard(await paymentPage(page), '5200000000002235')
      await page.locator('#told[data-tone=good]').waitFor()
    },
  },
]

export async function takeShopPictures(folder: string): Promise<string[]> {
  for (const { file, seat, reach } of pictures) {
    const context = await openContext(seat)
    const page = await context.newPage()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(demoUrl)
    await reach(page)
    await page.screenshot({ path: join(folder, file), animations: 'disabled', caret: 'hide' })
    await context.close()
  }
  return pictures.map(({ file }) => file)
}
