import type { LocalizedText } from '../../kit/text/locale.ts'

/**
 * Response codes after ISO 8583 and their texts. The bank answers merchants in Turkish, as banks in Turkey
 * do.
 */
export const responseCodes = {
  '00': { tr: 'Onaylandı', en: 'Approved' },
  '03': { tr: 'Geçersiz üye iş yeri', en: 'Invalid merchant' },
  '04': { tr: 'Karta el koyunuz', en: 'Pick up card' },
  '05': { tr: 'Reddedildi: onaylanmayan işlem', en: 'Do not honour' },
  '12': { tr: 'Geçersiz işlem', en: 'Invalid transaction' },
  '13': { tr: 'Geçersiz tutar', en: 'Invalid amount' },
  '14': { tr: 'Geçersiz kart numarası', en: 'Invalid card number' },
  '1A': { tr: 'Kart hamili doğrulaması eksik', en: 'The holder was not authenticated' },
  '21': { tr: 'Geri alınacak işlem yok', en: 'Nothing to undo' },
  '25': { tr: 'Kayıt bulunamadı', en: 'No such record' },
  '30': { tr: 'Mesaj biçimi hatalı', en: 'Format error' },
  '41': { tr: 'Kayıp kart', en: 'Lost card' },
  '43': { tr: 'Çalıntı kart', en: 'Stolen card' },
  '51': { tr: 'Yetersiz bakiye', en: 'Insufficient funds' },
  '54': { tr: 'Kartın son kullanma tarihi geçmiş', en: 'Expired card' },
  '57': { tr: 'Kart hamiline kapalı işlem', en: 'Not permitted to the holder' },
  '58': { tr: 'Terminale kapalı işlem', en: 'Not permitted to the terminal' },
  '59': { tr: 'Sahtecilik şüphesi', en: 'Suspected fraud' },
  '82': { tr: 'Güvenlik kodu hatalı', en: 'Wrong security code' },
  '94': { tr: 'Mükerrer işlem', en: 'Duplicate' },
  '95': { tr: 'Gün sonu alınmış, iade yapınız', en: 'Already settled; refund it' },
  '96': { tr: 'Sistem hatası', en: 'System malfunction' },
} as const satisfies Record<string, LocalizedText>

export type ResponseCode = keyof typeof responseCodes
