import type { Sentence } from './texts.ts'
import type { PaymentError } from './vezne-error.ts'

/** Hint for the developer in the console. The payer sees another text. */
export function developerHint({ code, error_code }: PaymentError, apiUrl: string): Sentence | undefined {
  if (code === 'unreachable' && error_code === undefined)
    return {
      tr: `${apiUrl} adresindeki yanıt Vezne API’sine ait değil. apiUrl, hizmetin API_URL adresi olmalı ve /v1 ile bitmemelidir.`,
      en: `The response from ${apiUrl} is not from the Vezne API. apiUrl must be the API_URL of the service, without /v1.`,
    }
  if (error_code === 910)
    return {
      tr: `Bu açık anahtar, ${apiUrl} adresindeki hizmette kayıtlı değil veya iptal edilmiş.`,
      en: `This public key is unknown to the service at ${apiUrl}, or it was revoked.`,
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
        tr: `${own} kökenini kaydettirin (kayıtlı değilse): ./vezne merchant change <id> --add-origins ${own}`,
        en: `Register the origin ${own} if it is not registered: ./vezne merchant change <id> --add-origins ${own}`,
      }
    : {
        tr: 'Sayfanızı bir dosyadan değil, bir web sunucusundan açın: http://localhost:3000 gibi bir köken gerekir.',
        en: 'Open your page from a web server, not from a file. It needs an origin such as http://localhost:3000.',
      }
}
