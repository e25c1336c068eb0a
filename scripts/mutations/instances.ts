import type { Area } from './mutation.ts'

export const instances: Area = {
  'wrong-clock-begins-no-round': {
    guard: 'No job does a round while the clock is wrong.',
    file: 'server/kit/job.ts',
    find: 'if (services.clock.fault) return',
    replace: '',
    noticedBy: 'server/instances/two-instances.test.ts',
  },
  'time-does-not-leap': {
    guard: 'Time goes on as before when the clock of the machine leaps.',
    file: 'server/kit/steady-clock.ts',
    find: 'const isWallRight = this.#isFoundRight && !this.#isLeap(wall, steadyMs)',
    replace: 'const isWallRight = true',
    noticedBy: 'server/kit/steady-clock.test.ts',
  },
  'wrong-after-two-measurements': {
    guard: 'One bad measurement does not make a clock wrong.',
    file: 'server/kit/steady-clock.ts',
    find: 'const measurementsNeeded = 2',
    replace: 'const measurementsNeeded = 1',
    noticedBy: 'server/kit/steady-clock.test.ts',
  },
  'leap-is-noticed-at-once': {
    guard: 'A leap of the clock is noticed before anybody measures it.',
    file: 'server/kit/steady-clock.ts',
    find: "if (this.hasLeapt) return 'leapt'",
    replace: '',
    noticedBy: 'server/kit/steady-clock.test.ts',
  },
  'half-of-the-round-trip': {
    guard: 'Half of the round trip is subtracted from a measurement.',
    file: 'server/instances/clock-watch.ts',
    find: 'tookMs / 2 - time.getTime()',
    replace: 'time.getTime()',
    noticedBy: 'server/instances/clock-watch.test.ts',
  },
  'slow-measurements-do-not-count': {
    guard: 'A measurement that took long says nothing.',
    file: 'server/instances/clock-watch.ts',
    find: 'tookMs > slowestMs ? undefined :',
    replace: '',
    noticedBy: 'server/instances/clock-watch.test.ts',
  },
  'dead-instances-are-no-witnesses': {
    guard: 'An instance whose row stands still says nothing about clocks.',
    file: 'server/instances/peers.ts',
    find: 'monotonicMs - seenAtMs <= aliveForMs',
    replace: 'true',
    noticedBy: 'server/instances/clock-watch.test.ts',
  },
  'leapt-instances-blame-nobody': {
    guard: 'Instances that leapt together do not take the clock of the database for the wrong one.',
    file: 'server/instances/clock-watch.ts',
    find: 'differs && !this.#clock.hasLeapt && this.#peersAgree()',
    replace: 'differs && this.#peersAgree()',
    noticedBy: 'server/instances/clock-watch.test.ts',
  },
}
