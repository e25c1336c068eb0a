import type { Services } from '../services.ts'
import type { HttpPeer } from './send-request.ts'
import { parsedJson, sendRequest } from './send-request.ts'
import { waitFor } from './wait-for.ts'

/** State of a payment page, as far as it matters here. */
export interface PageStatus {
  view: string
  title: string | null
  notice: string[]
  isUnderWay: boolean
}

/** A form of a page: where it goes to, and what it sends. */
interface Form {
  action: string
  fields: Record<string, string>
}

/** What the page answers to a card. */
type CardAnswer =
  | { next: 'bank_frame' }
  | { next: 'bank_form'; form: Form }
  | { next: 'fields' | 'limited' | 'not_open' | 'not_taken' | 'offer_changed' }

/** What the page answers to a browser that has said what it is. */
type AuthenticationStep =
  | { step: 'challenge'; url: string; fields: Record<string, string> }
  | { step: 'wait' | 'over' }

type Needs = Pick<Services, 'http' | 'clock'>

const page: HttpPeer = { name: 'The payment page', advice: 'vezne start runs it, PAGE_URL says where' }
const bank: HttpPeer = {
  name: 'The bank’s page',
  advice: 'SANDBOX_URL and PAGE_URL say where the payer goes',
}

/**
 * Tries once to pay with a card, as the script of the page and the payer do it together: types it, proves the holder by
 * the bank, and waits for what comes of it. The hidden look of the bank at the browser is left out, as by a browser that
 * blocks it.
 */
export async function payOnPage(
  services: Needs,
  pageUrl: string,
  { number, amount }: { number: string; amount: number },
): Promise<PageStatus> {
  const ask = askerOf(services, pageUrl)
  const cardAnswer = await ask<CardAnswer>('card', {
    number,
    expiry: `12/${services.clock.now().getUTCFullYear() + 2}`,
    cvc: '000',
    holder: 'AYŞE DENEME',
    installment: 1,
    charged: amount,
  })
  if (cardAnswer.next === 'bank_form') await follow(services, cardAnswer.form)
  else if (cardAnswer.next === 'bank_frame') {
    const step = await ask<AuthenticationStep>('authenticate', browser)
    if (step.step === 'challenge') await follow(services, { action: step.url, fields: step.fields })
  } else throw new Error(`The payment page does not take the card: ${cardAnswer.next}.`)
  return waitFor(services, 'the outcome of the payment', async () => {
    const pageStatus = await ask<PageStatus>('status')
    return pageStatus.isUnderWay ? undefined : pageStatus
  })
}

const browser = {
  language: 'tr-TR',
  javaEnabled: false,
  colorDepth: 24,
  screenWidth: 1280,
  screenHeight: 800,
  timeZoneOffset: -180,
}

function askerOf(services: Needs, pageUrl: string) {
  return async <Answer>(path: string, body?: object): Promise<Answer> => {
    const response = await sendRequest(services, page, {
      method: body ? 'POST' : 'GET',
      url: `${pageUrl}/${path}`,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer = parsedJson<Answer>(response)
    if (answer === undefined || response.status >= 500)
      throw new Error(`The payment page answers ${response.status} to ${path}.`)
    return answer
  }
}

/** More pages than a bank has. */
const maxPages = 10

/** Sends a form and goes on as long as pages lead on; where the bank asks for the code that it shows, it is typed. */
async function follow(services: Needs, first: Form): Promise<void> {
  let form: Form | undefined = first
  for (let count = 0; form && count < maxPages; count++) {
    const { action, fields }: Form = form
    const response = await sendRequest(services, bank, {
      method: 'POST',
      url: action,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams(fields).toString(),
    })
    form = formIn(response.body.toString(), action)
  }
}

/** The first form of a page as a payer sends it who presses its first button. */
function formIn(html: string, base: string): Form | undefined {
  const [, attributes, inside = ''] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html) ?? []
  if (attributes === undefined) return undefined
  const sent = [...inside.matchAll(/<input\b([^>]*)>/g)].map(([, input = '']) => {
    const isCodeField = attributeIn(input, 'type') === 'text'
    return [attributeIn(input, 'name'), isCodeField ? codeIn(html) : attributeIn(input, 'value')] as const
  })
  return { action: new URL(attributeIn(attributes, 'action'), base).href, fields: Object.fromEntries(sent) }
}

/** The only six digits in a row that the page shows. */
function codeIn(html: string): string {
  const shown = html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
  return /(?<!\d)\d{6}(?!\d)/.exec(shown)?.[0] ?? ''
}

function attributeIn(attributes: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes) ?? []
  return value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
}
