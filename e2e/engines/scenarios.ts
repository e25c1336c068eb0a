import assert from 'node:assert/strict'
import { bankField, codeIn } from '../bank.ts'
import { demoUrl, pageUrl, sandboxUrl, startPayment } from '../shop.ts'
import { until } from '../until.ts'
import { payerDetails } from '../visit.ts'
import type { EngineFrame, EngineWindow } from './engine.ts'

/** Payment that every engine must complete. */
export interface EngineScenario {
  name: string
  width: number
  height: number
  /** Plays the payer. `show` takes a picture under this name, if pictures are wanted. */
  play(window: EngineWindow, show: (name: string) => Promise<void>): Promise<void>
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 375, height: 740 }

const asking = '5200000000002151'
const approved = '5200000000002235'
const wrongCvc = '4124111111111116'
const askingOnBankPage = '5451030000000109'

const form = '#number'
/** First button below the basket: pay in the shop. */
const payHere = '#shopping .button'

export const engineScenarios: readonly EngineScenario[] = [
  {
    name: 'frictionless',
    ...desktop,
    play: async (window, show) => {
      const result = await openPayment(window)
      await show('form')
      await pay(window, approved)
      const page = await seesPaid(window)
      assert.ok(await isFocusIn(page, '#outcome'), 'the outcome has the focus')
      await show('paid')
      assert.equal(await result(), 'success')
    },
  },
  {
    name: 'challenge',
    ...phone,
    play: async (window, show) => {
      const result = await openPayment(window)
      await pay(window, asking)
      await find(window, sandboxUrl, bankField)
      await show('bank')
      await answer(window)
      await seesPaid(window)
      assert.equal(await result(), 'success')
    },
  },
  {
    name: 'declined',
    ...desktop,
    play: async (window, show) => {
      const result = await openPayment(window)
      await pay(window, wrongCvc)
      const page = await find(window, pageUrl, '#notice[data-tone=danger]', /4 deneme hakkınız kaldı/)
      await until(
        () => isFocusIn(page, '#cvc'),
        () => 'the security code does not get the focus',
      )
      assert.equal(await page.evaluate(`document.querySelector('#cvc').value`), '')
      await show('notice')
      assert.equal(await result(), 'waiting')
    },
  },
  {
    name: 'the bank’s own page',
    ...desktop,
    play: async (window, show) => {
      const result = await openPayment(window)
      await pay(window, askingOnBankPage)
      const bank = await find(window, sandboxUrl, bankField)
      assert.equal(await bank.evaluate('window === window.top'), true)
      await answer(window)
      await seesPaid(window)
      await show('paid')
      assert.equal(await result(), 'success')
    },
  },
  {
    name: 'the element in the shop',
    ...desktop,
    play: async (window, show) => {
      await window.open(`${demoUrl}/?lang=tr`)
      await (await find(window, demoUrl, '.good[data-good=beans] .more')).click(
        '.good[data-good=beans] .more',
      )
      await (await find(window, demoUrl, payHere)).click(payHere)
      const page = await find(window, `${pageUrl}/p/`, form)
      const id = await page.evaluate<string>(`document.querySelector('#copy-id').dataset.id`)
      await typeCard(page, asking)
      // By key: the frame still grows to the height of its page, and a click could miss the button.
      await page.pressEnter('#holder')
      await find(window, sandboxUrl, bankField)
      await show('bank')
      await answer(window)
      const shop = await find(window, demoUrl, '#result h1', /Ödendi ve sunucuda kontrol edildi/)
      // The shop received the signed webhook about this payment.
      await find(window, demoUrl, `#told[data-tone=good][data-transaction="${id}"]`)
      await show('paid')
      assert.deepEqual(await unseenOf(shop, '#result h1', '#told'), [])
    },
  },
]

/** Opens the page of a new payment. Returns a question for its status as the merchant reads it. */
async function openPayment(window: EngineWindow): Promise<() => Promise<string>> {
  const { url, result } = await startPayment()
  await window.open(`${url}?lang=tr`)
  return async () => (await result()).payment_status_text
}

async function pay(window: EngineWindow, number: string): Promise<void> {
  const page = await find(window, pageUrl, form)
  await typeCard(page, number)
  await page.click('#pay')
}

async function typeCard(page: EngineFrame, number: string): Promise<void> {
  const card = { number, expiry: '1230', cvc: '123', holder: 'Işık Öztürk' }
  const fields = { ...payerDetails, email: 'isik-engines@example.com', ...card }
  for (const [name, text] of Object.entries(fields)) await type(page, `#${name}`, text)
  const shown = await page.evaluate(
    `['number', 'expiry', 'holder'].map((id) => document.getElementById(id).value)`,
  )
  assert.deepEqual(shown, [number.replaceAll(/(\d{4})(?=\d)/g, '$1 '), '12/30', card.holder])
}

/**
 * Types when the field has the focus: a frame is hidden until its content is ready. WebKit lets no script focus a
 * field in a frame of another site before the first click there.
 */
async function type(frame: EngineFrame, selector: string, text: string): Promise<void> {
  const focus = () =>
    frame.evaluate<boolean>(`(() => {
      document.querySelector('${selector}').focus()
      return document.activeElement.matches('${selector}')
    })()`)
  await until(
    async () => {
      if (await focus()) return true
      await frame.click(selector)
      return focus()
    },
    () => `${selector} does not take the focus`,
  )
  await frame.type(selector, text)
}

/** Waits until the payer sees that the payment is paid. */
async function seesPaid(window: EngineWindow): Promise<EngineFrame> {
  const page = await find(window, pageUrl, '#outcome[data-view=paid]')
  await until(
    async () => (await unseenOf(page, '#outcome-title')).length === 0,
    () => 'the outcome is not in sight',
  )
  return page
}

/** Types the code that the bank shows, and sends it. */
async function answer(window: EngineWindow): Promise<void> {
  const bank = await find(window, sandboxUrl, bankField)
  await type(bank, bankField, codeIn(await bank.evaluate<string>('document.body.innerText')))
  await bank.pressEnter(bankField)
}

/** Waits for a loaded document at this address in which this element is visible with these words. */
function find(window: EngineWindow, at: string, selector: string, words = /(?:)/): Promise<EngineFrame> {
  return until(
    async () => {
      for (const frame of await window.frames()) {
        const isIt = frame.url.startsWith(at) && (await frame.evaluate<boolean>(hasText(selector, words)))
        if (isIt) return frame
      }
      return undefined
    },
    () => `${at} does not show ${selector} ${words}`,
  )
}

const hasText = (selector: string, words: RegExp) => `document.readyState === 'complete' &&
  [...document.querySelectorAll(${JSON.stringify(selector)})].some((node) => node.checkVisibility() && ${words}.test(node.textContent))`

/** True if this element or an element in it has the focus of the document. */
const isFocusIn = (frame: EngineFrame, selector: string) =>
  frame.evaluate<boolean>(`document.activeElement.closest('${selector}') !== null`)

/** Selectors of the elements that the payer does not see: outside the window, or under something else. */
const unseenOf = (frame: EngineFrame, ...selectors: string[]) =>
  frame.evaluate<string[]>(`${JSON.stringify(selectors)}.filter((selector) => {
    const node = document.querySelector(selector)
    const { left, right, top, bottom } = node.getBoundingClientRect()
    const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return top < 0 || bottom > innerHeight || !node.contains(onTop)
  })`)
