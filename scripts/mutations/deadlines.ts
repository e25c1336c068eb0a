import type { Area } from './mutation.ts'

export const deadlines: Area = {
  'before-its-time': {
    guard: 'A request is not cut before its deadline.',
    file: 'server/database/request-deadlines.ts',
    find: 'if (each.dueAtMs > nowMs) return',
    replace: '',
    noticedBy: 'server/database/request-deadlines.test.ts',
  },
  'answered-in-time': {
    guard: 'Work that a request leaves running after its answer is not cut.',
    file: 'server/database/request-deadlines.ts',
    find: 'outcome.then(done, done)',
    replace: '',
    noticedBy: 'server/database/request-deadlines.test.ts',
  },
  'late-query': {
    guard: 'A request that passed its deadline sends no more queries.',
    file: 'server/database/request-sql.ts',
    find: 'return this.#whyOver && Promise.reject(this.#whyOver)',
    replace: 'return undefined',
    noticedBy: 'server/database/request-sql.test.ts',
  },
  'late-transaction': {
    guard: 'The transaction of a request that passed its deadline ends with its connection.',
    file: 'server/database/request-sql.ts',
    find: 'this.#inner.transaction(work, this.#endSignal())',
    replace: 'this.#inner.transaction(work)',
    noticedBy: 'server/database/request-deadlines.test.ts',
  },
  'late-connection': {
    guard: 'A connection whose transaction was cut is not reused.',
    file: 'server/database/pool.ts',
    find: 'client.release(true)',
    replace: 'client.release()',
    noticedBy: 'server/database/request-deadlines.test.ts',
    test: 'loses its transaction with the connection',
  },
  'late-approval': {
    guard: "A bank's response is stored even if the request that asked has passed its deadline.",
    file: 'server/payments/attempts/authorize-attempt.ts',
    find: 'return finish(servicesWithoutDeadline(services), ',
    replace: 'return finish(services, ',
    noticedBy: 'server/payments/attempts/authorize-attempt.test.ts',
    test: 'during the bank call still records the bank’s answer',
  },
  'no-matter-of-time': {
    guard: 'A start does not wait if waiting cannot help, for example with a wrong password.',
    file: 'server/database/start-wait.ts',
    find: 'if (!isDatabaseStarting(error)) throw error',
    replace: '',
    noticedBy: 'server/database/start-wait.test.ts',
  },
  'end-of-the-wait': {
    guard: 'A start stops waiting for its database after a limit.',
    file: 'server/database/start-wait.ts',
    find: 'return this.#leftMs <= 0',
    replace: 'return this.#leftMs <= -60_000',
    noticedBy: 'server/database/start-wait.test.ts',
    test: 'says what it waits for at once',
  },
}
