export { triggerEventCommand } from './trigger-event.ts'
