import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { ChallengeReaction } from '../till/browser.ts'
import { jsonOf, TestBrowser } from '../till/browser.ts'

/** A payer at the page of one payment. The service may be down, and the payer can come back. */
export class PayerAtPage {
  readonly #browser: TestBrowser
  readonly #path: string
  readonly #card: string
  readonly #reaction: ChallengeReaction

  constructor(root: string, path: string, { card, reaction }: { card: string; reaction: ChallengeReaction }) {
    this.#browser = new TestBrowser(root)
    this.#path = path
    this.#card = card
    this.#reaction = reaction
  }

  /** Opens the page, types the card and answers the bank, until a request gets no response. */
  pay(): Promise<void> {
    return asFarAsAnswered(() => this.#pay())
  }

  /** Reloads the page, and follows its offer: continue at the bank, or type the card again. */
  comeBack(): Promise<void> {
    return asFarAsAnswered(async () => {
      // A bank's post to us happens in the top window, so a reload repeats it. All other posts come from
      // frames and scripts.
      await this.#browser.reload(this.#path, /^\/return\//)
      const { canGoOn, takesCard } = jsonOf(await this.#browser.get(`${this.#path}/status`))
      if (canGoOn) await this.#browser.prove(this.#path, this.#reaction)
      else if (takesCard) await this.#pay()
    })
  }

  /** Types the card again if the page still asks for one. */
  tryAgain(): Promise<void> {
    return asFarAsAnswered(async () => {
      const { takesCard } = jsonOf(await this.#browser.get(`${this.#path}/status`))
      if (takesCard) await this.#pay()
    })
  }

  goAway(): void {
    this.#browser.close()
  }

  async #pay(): Promise<void> {
    await this.#browser.get(this.#path)
    const answer = await this.#browser.submit(this.#path, this.#card)
    if (answer.next === 'bank_frame') await this.#browser.prove(this.#path, this.#reaction)
    else if (answer.next === 'bank_form') await this.#browser.answer(answer.form, this.#reaction)
    else throw new Error(`the card was not taken: ${answer.next}`)
  }
}

async function asFarAsAnswered(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error
  }
}
