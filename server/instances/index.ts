export { ClockWatch } from './clock-watch.ts'
export { assertClock } from './measure-clock.ts'
