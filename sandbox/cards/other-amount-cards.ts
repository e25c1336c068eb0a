import type { LocalizedText } from '../../kit/text/locale.ts'
import type { TestCard } from './fault.ts'

/** Outcome of a charge of another amount, at each POS of the demo merchant. */
export const otherAmountOutcome: LocalizedText = {
  tr: 'NestPay ile ödeme tamamlanır ve fark bir dakika sonra bulunur; diğer POS’ta beklemede kalır, sonra çekim geri alınır.',
  en: 'At the NestPay POS the payment is paid, and the difference is found a minute later. At the other POS it stays pending, and the charge is reversed.',
}

/** Cards charged with another amount. The demo merchant's POS for their family answers without amounts. */
export const otherAmountCards: readonly TestCard[] = [
  {
    number: '5451030000000406',
    fault: { name: 'more', extraMinor: 100 },
    does: {
      tr: 'İstenenden 1,00 fazlasını çeker ve onaylar (World).',
      en: 'Takes and approves 1.00 more than requested (World).',
    },
    outcome: otherAmountOutcome,
  },
  {
    number: '5451030000000414',
    fault: { name: 'less', extraMinor: -100 },
    does: {
      tr: 'İstenenden 1,00 eksiğini çeker ve onaylar (World).',
      en: 'Takes and approves 1.00 less than requested (World).',
    },
    outcome: otherAmountOutcome,
  },
  {
    number: '5451030000000422',
    // Voids are refused as after the end of the day: a void would reverse the whole charge.
    fault: { name: 'modification-short', undoing: 'settled', modificationFault: { shortMinor: 100 } },
    does: {
      tr: 'Onaylar (World); iptal etmez, ilk kapama ya da iadeyi 1,00 eksik yapar ve onaylar.',
      en: 'Approves (World). Refuses every void. Does the first capture or refund with 1.00 less than requested.',
    },
    outcome: {
      tr: 'Ödeme tamamlanır. NestPay ile kapama ya da iade de tamamlanır ve fark bir dakika sonra bulunur; diğer POS’ta elle inceleme gerekir.',
      en: 'The payment is paid. At the NestPay POS the capture or refund is done, and the difference is found a minute later. At the other POS it needs manual review.',
    },
  },
]
