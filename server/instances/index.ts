export { ClockWatch } from './clock-watch.ts'
export { assertClockRight } from './measure-clock.ts'
