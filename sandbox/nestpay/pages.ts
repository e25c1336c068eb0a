import { html } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { PurchaseFact } from '../bank-page/facts.ts'
import { amountText, cardText, timeText } from '../bank-page/facts.ts'
import type { BankPage } from '../bank-page/page.ts'
import { messagePage, passcodePage, returnPage } from '../bank-page/page.ts'
import type { GateStep } from './gate.ts'
import { triesLeft } from './gate.ts'
import { currencyByNumber } from './money.ts'
import type { GateSession } from './session.ts'

interface Showing {
  challengeSeconds: number
  /** Language that the payer chose on the page. Default: the language of the form. */
  chosen: Language | undefined
  isInFrame: boolean
}

export function gatePage(step: GateStep, showing: Showing): BankPage {
  if (step.kind === 'challenge') return challengePage(step.session, showing)
  const language = showing.chosen ?? step.language
  if (step.kind === 'callback') return returnPage(language, step.callback)
  return messagePage(language, step.kind === 'silence' ? 'waiting' : 'unknown')
}

function challengePage(session: GateSession, { challengeSeconds, chosen, isInFrame }: Showing): BankPage {
  const language = chosen ?? session.language
  const address = `/fim/est3Dgate/${session.id}`
  const here = chosen ? `${address}?language=${chosen}` : address
  return passcodePage({
    language,
    facts: factsOf(session, language),
    code: session.passcode,
    triesLeft: session.wrongPasscodes > 0 ? triesLeft(session) : undefined,
    action: here,
    hidden: {},
    otherAddress: `${address}?language=${language === 'tr' ? 'en' : 'tr'}`,
    isInFrame,
    // After the deadline an open page returns the payer to the shop without a script.
    head: html`<meta http-equiv="refresh" content="${challengeSeconds + 1}; url=${here}">`,
  })
}

function factsOf(session: GateSession, language: Language): PurchaseFact[] {
  const { clientId, amount, installments, card, openedAt } = session
  const money = {
    amount: String(amount),
    currency: currencyByNumber(session.currency) ?? '',
    exponent: 2,
  }
  return [
    ['storeNumber', clientId],
    ['amount', amountText(money, language)],
    ...(installments > 1 ? [['installments', String(installments)] as const] : []),
    ['card', cardText(card)],
    ['date', timeText(openedAt, language)],
  ]
}
