/** Errors of the gateway itself. Messages are worded as banks word them; some have no Turkish letters. */
export const gatewayErrors = {
  unreadable: ['CORE-2005', 'İstek okunamadı. Lütfen XML yapısını kontrol ediniz.'],
  unknownShop: ['CORE-2312', 'Üye iş yeri kullanıcı bilgileri hatalı.'],
  unknownType: ['CORE-2001', 'İşlem tipi geçersiz. Auth, PreAuth, PostAuth, Credit, Void kullanılabilir.'],
  wrongNumber: ['CORE-2007', 'Sayısal alan hatalı.'],
  wrongOrder: ['CORE-2301', 'Sipariş numarası geçersiz.'],
  wrongCurrency: ['CORE-2106', 'Para birimi geçersiz.'],
  wrongCard: ['CORE-2012', 'Kredi karti numarasi gecerli formatta degil.'],
  notProven: ['CORE-2206', 'MD Status değeri geçersiz.'],
  otherProof: ['CORE-2121', 'XID, CAVV veya ECI uyuşmuyor.'],
  otherCurrency: ['CORE-2119', 'Para birimi sipariş ile uyuşmuyor.'],
  otherInstallments: ['CORE-2601', 'Taksit sayısı doğrulama ile uyuşmuyor.'],
  otherAmount: ['CORE-2129', 'Sipariş veya tutar doğrulama ile uyuşmuyor.'],
  usedXid: ['CORE-2127', 'XID daha önce kullanılmıştır. Tekrar kullanılamaz.'],
  noSuchInstallments: ['CORE-2603', 'Taksit tablosu icin gecersiz deger'],
  usedOrder: ['CORE-2507', 'Bu siparis numarasi ile zaten bir islem var.'],
  nothingToVoid: ['CORE-2008', 'İptal edilmeye uygun satış işlemi bulunamadı.'],
  nothingToPost: ['CORE-2509', 'Kapamaya uygun ön provizyon bulunamadı.'],
  postsTooMuch: ['CORE-2505', 'Ön provizyon tutarından fazlası kapatılamaz.'],
  nothingToRefund: ['CORE-2123', 'İade edilmeye uygun sipariş bulunamadı.'],
  refundsNothing: ['CORE-2504', 'Sıfır tutarlı iade yapılamaz.'],
  refundsTooMuch: ['CORE-2503', 'Net miktardan fazlasi iade edilemez.'],
  refundsTooEarly: ['CORE-2508', 'Iade yapilamaz, siparis gunsonuna girmemis.'],
  nothingLeft: ['215021', 'Net Tutar 0.'],
} as const satisfies Record<string, readonly [code: string, message: string]>

export type GatewayError = keyof typeof gatewayErrors
