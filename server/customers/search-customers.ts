import { optional, parsedTextField } from '../../kit/input/fields.ts'
import { parseCountryField } from '../../kit/money/countries-and-currencies.ts'
import type { SearchTerm } from '../database/full-text-search.ts'
import { foldedWordsOf, foldForSearch } from '../database/full-text-search.ts'
import { searchTermsFromFilter, wholeSearchTerm, wordPrefixFilterField } from '../database/search.ts'
import { customerResource, customerSearchFields } from './customer.ts'

export const searchCustomersRoute = customerResource.routeToSearch({
  summary: { tr: 'Müşteri ara', en: 'Search customers' },
  description: {
    tr: 'Bütün filtrelere uyan müşterileri en yeniden en eskiye doğru döndürür. Sözcükler başlarından eşleşir; büyük-küçük harf ve Türkçe harf ayrımı yapılmaz: `isik` araması `Işık` kaydını bulur. Bilinmeyen bir filtre 901 ile reddedilir.',
    en: 'Returns the customers that match all filters, newest first. Words match by their beginning; case and Turkish letters make no difference: `isik` finds `Işık`. An unknown filter is rejected with 901.',
  },
  found: { tr: 'Bulunan müşteriler.', en: 'Customers found.' },
  filters: {
    q: wordPrefixFilterField(
      {
        tr: 'Bütün metin alanlarında aranacak sözcükler: ad, soyad, e-posta, telefon, şehir, ilçe, adres, posta kodu.',
        en: 'Words to search for in all text fields: names, e-mail, phone, city, district, address, postal code.',
      },
      'isik',
    ),
    name: wordPrefixFilterField({
      tr: 'Addaki bir sözcüğün ilk harfleri.',
      en: 'Beginning of a word in the first name.',
    }),
    lastname: wordPrefixFilterField({
      tr: 'Soyaddaki bir sözcüğün ilk harfleri.',
      en: 'Beginning of a word in the last name.',
    }),
    email: wordPrefixFilterField({
      tr: 'E-posta adresindeki bir sözcüğün ilk harfleri; @ içeriyorsa adresin tamamının ilk harfleri.',
      en: 'Beginning of a word in the e-mail address; with an @, beginning of the whole address.',
    }),
    phone: wordPrefixFilterField({
      tr: 'Telefon numarasının ilk haneleri, ülke koduyla veya ülke kodu olmadan.',
      en: 'Beginning of the phone number, with or without the country’s prefix.',
    }),
    country: optional(
      parsedTextField<string>(
        { tr: 'ISO 3166-1 ülke kodu.', en: 'ISO 3166-1 country code.' },
        { max: 2, parse: parseCountryField },
      ),
    ),
    city: wordPrefixFilterField({
      tr: 'Şehir adındaki bir sözcüğün ilk harfleri.',
      en: 'Beginning of a word in the city.',
    }),
  },
  terms: ({ q, name, lastname, email, phone, country, city }) => [
    q === undefined ? undefined : anywhere(q),
    searchTermsFromFilter(name, [customerSearchFields.name]),
    searchTermsFromFilter(lastname, [customerSearchFields.lastname]),
    email === undefined ? undefined : inEmail(email),
    phone === undefined ? undefined : inPhone(phone),
    wholeSearchTerm(country, customerSearchFields.country),
    searchTermsFromFilter(city, [customerSearchFields.city]),
  ],
})

const { wholeEmail: _, country: __, ...textFields } = customerSearchFields
const everywhere = Object.values(textFields)

/**
 * A part with an @ is an e-mail address; everything else is words. Adjacent digits may also be a phone
 * number.
 */
function anywhere(q: string): SearchTerm[] {
  return [...new Set(foldForSearch(q).match(numbersAndOthers))].flatMap((part) => {
    if (part.includes('@')) return inEmail(part)
    const words = foldedWordsOf(part).map((word) => ({ fields: everywhere, word }))
    const [number] = /^[+(]*\d/.test(part) ? inPhone(part) : []
    return number ? [{ ...number, or: words }] : words
  })
}

/** `ayse 0532 200 10 10` has two parts: a word, and digits with their separators. */
const numbersAndOthers = /[+(]*\d[\d().-]*(?:\s+[\d().-]+)*(?=\s|$)|\S+/g

/**
 * No address begins with an @, so such a text means the domain name after it. Brackets and quotes around an
 * address are removed.
 */
function inEmail(text: string): SearchTerm[] {
  const address = foldForSearch(text).replaceAll(/^[<("']+|[>)"',;.]+$/g, '')
  if (address.indexOf('@') > 0) return [{ fields: [customerSearchFields.wholeEmail], word: address }]
  return foldedWordsOf(text).map((word) => ({ fields: [customerSearchFields.email], word }))
}

/** Leading zeros are dialled (0 within a country, 00 to leave it) but not part of the number. */
function inPhone(text: string): SearchTerm[] {
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
  return digits === '' ? [] : [{ fields: [customerSearchFields.phone], word: digits }]
}
