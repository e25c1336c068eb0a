import type { Services } from '../services.ts'
import { requestJson, sendRequest } from './send-request.ts'
import { waitFor } from './wait-for.ts'

/** State of a payment page, with the fields needed here. */
export interface PageStatus {
  view: string
  title: string | null
  notice: string[]
  isUnderWay: boolean
}

interface Form {
  action: string
  fields: Record<string, string>
}

/** The page's response to a card. */
type CardAnswer =
  | { next: 'bank_frame' }
  | { next: 'bank_form'; form: Form }
  | { next: 'fields' | 'limited' | 'not_open' | 'not_taken' | 'offer_changed' }

/** The page's response to the browser data. */
type AuthenticationStep =
  | { step: 'challenge'; url: string; fields: Record<string, string> }
  | { step: 'wait' | 'over' }

type Needs = Pick<Services, 'http' | 'clock'>

/**
 * Makes one attempt with a card, as the page's script and the payer do: submits the card, authenticates at
 * the bank, and waits for the outcome. The hidden 3DS method frame is skipped, as in a browser that blocks
 * it.
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
  } else throw new Error(`The payment page did not accept the card: ${cardAnswer.next}.`)
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
    const { status, json } = await requestJson<Answer>(services, 'page', `${pageUrl}/${path}`, { body })
    if (json === undefined || status >= 500)
      throw new Error(`The payment page answered ${path} with ${status}.`)
    return json
  }
}

/** Limit of pages to follow; a bank has fewer. */
const maxPages = 10

/** Submits a form and the forms of the pages that follow, with the code that the bank's page shows. */
async function follow(services: Needs, first: Form): Promise<void> {
  let form: Form | undefined = first
  for (let count = 0; form && count < maxPages; count++) {
    const { action, fields }: Form = form
    const response = await sendRequest(services, 'bankPage', {
      method: 'POST',
      url: action,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams(fields).toString(),
    })
    form = formIn(response.body.toString(), action)
  }
}

/** First form of a page, as submitted by its first button. */
function formIn(html: string, base: string): Form | undefined {
  const [, attributes, inside = ''] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html) ?? []
  if (attributes === undefined) return undefined
  const sent = [...inside.matchAll(/<input\b([^>]*)>/g)].map(([, input = '']) => {
    const isCodeField = attributeIn(input, 'type') === 'text'
    return [attributeIn(input, 'name'), isCodeField ? codeIn(html) : attributeIn(input, 'value')] as const
  })
  return { action: new URL(attributeIn(attributes, 'action'), base).href, fields: Object.fromEntries(sent) }
}

/** Six-digit code that the page shows. */
function codeIn(html: string): string {
  const shown = html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
  return /(?<!\d)\d{6}(?!\d)/.exec(shown)?.[0] ?? ''
}

function attributeIn(attributes: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes) ?? []
  return value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
}
