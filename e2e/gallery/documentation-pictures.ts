/** Picture of docs/gallery. */
export interface Picture {
  file: string
  state: string
  width: number
  height?: number
  dark: boolean
  language: 'tr' | 'en'
}

/** Pictures that docs/gallery/README.md shows. */
export const documentationPictures: readonly Picture[] = [
  { file: 'form-wide.png', state: 'form', width: 1280, dark: false, language: 'en' },
  { file: 'form-phone.png', state: 'form', width: 375, dark: false, language: 'tr' },
  { file: 'form-phone-dark.png', state: 'form', width: 375, dark: true, language: 'en' },
  { file: 'installments.png', state: 'installments-at-a-cost', width: 1280, dark: false, language: 'tr' },
  { file: 'pictures.png', state: 'pictures', width: 1280, dark: false, language: 'tr' },
  { file: 'faults.png', state: 'faults', width: 375, dark: false, language: 'en' },
  { file: 'bank.png', state: 'bank', width: 1280, dark: false, language: 'tr' },
  { file: 'bank-phone.png', state: 'bank', width: 375, dark: true, language: 'tr' },
  { file: 'declined.png', state: 'declined', width: 375, dark: false, language: 'tr' },
  { file: 'paid.png', state: 'paid-in-installments', width: 1280, dark: false, language: 'en' },
  { file: 'paid-phone-dark.png', state: 'paid', width: 375, dark: true, language: 'tr' },
  { file: 'white-label.png', state: 'white-label', width: 1280, dark: true, language: 'en' },
]
