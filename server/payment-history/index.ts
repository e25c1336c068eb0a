export { historyEventsOfPayment } from './store.ts'
