import { fillCard } from './card-fields.ts'

/** Buttons that fill in a test card. A live merchant's page has none. */
export function mountTestCards(): void {
  for (const button of document.querySelectorAll<HTMLElement>('#test-cards .test-card')) {
    button.addEventListener('click', () => {
      const { number = '', expiry = '', cvc = '', holder = '' } = button.dataset
      fillCard({ number, expiry, cvc, holder })
    })
  }
}
