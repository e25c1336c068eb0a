import { customerResource } from './customer.ts'

export const deleteCustomerRoute = customerResource.routeToDelete({
  summary: { tr: 'Müşteriyi sil', en: 'Delete customer' },
  description: {
    tr: 'Müşteriyi siler: kayıt artık okunamaz ve aramalarda çıkmaz. Bu müşteriyle yapılmış ödemelerin kayıtları değişmez.',
    en: 'Deletes the customer: it can no longer be read, and searches do not find it. Payments of the customer keep their recorded data.',
  },
  message: { tr: 'Müşteri silindi.', en: 'The customer was deleted.' },
})
