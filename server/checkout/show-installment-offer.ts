import type { PageRoute } from '../../kit/http/page-route.ts'
import { parseRequestBody } from '../../kit/input/body.ts'
import { makeOfferFromPoses } from '../pos/index.ts'
import type { Services } from '../services.ts'
import { notFromPageResponse, pageNotFoundJsonResponse } from './show-page-state.ts'
import { pageContextWithPricedPoses } from './state/store.ts'
import { findVisitedPageContextWithReader, isFromPage } from './state/visitor.ts'
import { installmentPlanText } from './texts/installment-plan-text.ts'
import { moneyText, surchargeText } from './texts/money-text.ts'

/** Installment plans for a card, by its first eight digits. The other digits are not sent. */
export const showInstallmentOfferRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/p/:token/offer',
  handle: async (services, request) => {
    if (!isFromPage(request)) return notFromPageResponse
    const visitor = await findVisitedPageContextWithReader(services, request, pageContextWithPricedPoses)
    if (!visitor) return pageNotFoundJsonResponse
    const { bin } = parseRequestBody(request.body, request.headers['content-type'])
    if (typeof bin !== 'string' || !/^[1-9]\d{7}$/.test(bin)) return { kind: 'json', value: { plans: [] } }
    const { merchant, language, payment, poses } = visitor
    const { amountMinor, currency } = payment
    const offerRequest = { merchant, bin: Number(bin), amountMinor, currency }
    const { plans } = await makeOfferFromPoses(services, offerRequest, poses)
    const price = (minor: number) => moneyText(minor, currency, language)
    const shown = plans.map(({ installment, chargedMinor, installmentsMinor }) => ({
      installment,
      charged: chargedMinor,
      total: price(chargedMinor),
      extra: surchargeText({ chargedMinor, amountMinor, currency }, language),
      ...installmentPlanText(installmentsMinor, price, language),
    }))
    return { kind: 'json', value: { plans: shown } }
  },
}
