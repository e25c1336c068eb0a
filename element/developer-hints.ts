import type { Sentence } from './texts.ts'
import type { PaymentError } from './vezne-error.ts'

/** Hint for the developer in the console. The payer sees another text. */
export function developerHint({ code, error_code }: PaymentError, apiUrl: string): Sentence | undefined {
  if (code === 'unreachable' && error_code === undefined)
    return {
      tr: `${apiUrl} adresinde API gibi yanıt veren yok. apiUrl, hizmetin API_URL adresi olmalıdır; sonunda /v1 bulunmaz.`,
      en: `Nobody at ${apiUrl} answers as the API does. apiUrl must be the API_URL of the service, without /v1.`,
    }
  if (error_code === 910)
    return {
      tr: `Bu açık anahtar ${apiUrl} adresindeki hizmette bilinmiyor veya iptal edilmiş.`,
      en: `The service at ${apiUrl} does not know this public key, or it was revoked.`,
    }
  if (error_code === 912) return registered(window.location.origin)
  return undefined
}

export function notShownHint(page: string): Sentence {
  const { tr, en } = registered(window.location.origin)
  return {
    tr: `Ödeme sayfası çerçevede gösterilemedi. ${tr} Sayfanızın Content-Security-Policy başlığı “frame-src ${page}” içermelidir.`,
    en: `The payment page could not be shown in the frame. ${en} The Content-Security-Policy of your page must allow “frame-src ${page}”.`,
  }
}

/** Instruction to register the origin of this page, if it has one. */
function registered(own: string): Sentence {
  return own.startsWith('http')
    ? {
        tr: `${own} kökeni kayıtlı değilse kaydettiriniz: ./vezne merchant change <id> --add-origins ${own}`,
        en: `Have the origin ${own} registered if it is not: ./vezne merchant change <id> --add-origins ${own}`,
      }
    : {
        tr: 'Sayfanızı bir dosyadan değil, bir web sunucusundan açınız: http://localhost:3000 gibi bir köken gerekir.',
        en: 'Open your page from a web server and not from a file: it needs an origin such as http://localhost:3000.',
      }
}
