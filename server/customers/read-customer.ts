import { customerResource } from './customer.ts'

export const readCustomerRoute = customerResource.routeToRead({
  summary: { tr: 'Müşteriyi getir', en: 'Read customer' },
  description: { tr: 'Bir müşteriyi döndürür.', en: 'Returns a customer.' },
})
