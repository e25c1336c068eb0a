import type { PosSettingField, UnauthenticatedStatus } from '../contract/contract.ts'

const statuses: readonly UnauthenticatedStatus[] = ['U', 'I', 'not_enrolled']

/** Accepted statuses in the text of the setting. */
export function readAcceptedUnauthenticatedStatuses(text: string): UnauthenticatedStatus[] {
  const words = text.split(/[\s,]+/)
  return statuses.filter((status) => words.includes(status))
}

export const sandboxSettingFields: readonly PosSettingField[] = [
  {
    name: 'category',
    about: 'Merchant category code: four digits of ISO 18245.',
    defaultValue: '5999',
    read: (text) =>
      /^\d{4}$/.test(text) ? { value: text } : { tr: 'Dört hane olmalıdır.', en: 'Must be four digits.' },
  },
  {
    name: 'challenge',
    about: 'Challenge indicator of EMV 3DS: 01 lets the issuer decide about a challenge, 04 demands one.',
    defaultValue: '01',
    read: (text) =>
      /^0[1-9]$/.test(text)
        ? { value: text }
        : { tr: '01 ile 09 arasında iki hane olmalıdır.', en: 'Must be two digits from 01 to 09.' },
  },
  {
    name: 'accepts',
    about: '3-D Secure outcomes that are charged at the merchant’s own risk: U, I, not_enrolled, or none.',
    defaultValue: 'none',
    read: (text) => {
      const words = text.split(/[\s,]+/).filter((word) => word !== 'none')
      const areKnown = words.every((word) => statuses.some((status) => status === word))
      if (areKnown) return { value: words.join(' ') || 'none' }
      return { tr: 'U, I, not_enrolled veya none olmalıdır.', en: 'Must be U, I, not_enrolled, or none.' }
    },
  },
]
