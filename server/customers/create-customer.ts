import { objectSchema } from '../../kit/input/fields.ts'
import { cityNeedsDistrict, customerFields, customerResource, noAddress } from './customer.ts'

/** Without a country a customer gets that of the phone, or else the merchant's. */
export const createCustomerRoute = customerResource.routeToCreate({
  summary: { tr: 'Müşteri oluştur', en: 'Create customer' },
  description: {
    tr: 'Yeni bir müşteri kaydeder. Ödeme başlatırken müşterinin numarasını verirseniz ödeme sayfası müşteri bilgilerini yeniden sormaz.',
    en: 'Creates a customer. If you send the customer’s ID when you start a payment, the payment page does not ask for the customer’s details again.',
  },
  body: objectSchema(customerFields, undefined, { rule: cityNeedsDistrict }),
  columns: ({ phone, zip_code, ...sent }, merchant) => ({
    ...noAddress,
    country: phone.country ?? merchant.country,
    ...sent,
    phone: phone.e164,
    zipCode: zip_code ?? null,
    createdViaPayment: false,
  }),
})
