import type { Area } from './mutation.ts'

export const idempotency: Area = {
  'key-for-another-request': {
    guard: 'A key that stands for one request is refused for another.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (!stored.fingerprint.equals(request.fingerprint)) throw new Refused(idempotencyKeyReused)',
    replace: '',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'fingerprint-of-the-address': {
    guard: 'The method and the path belong to what a key stands for.',
    file: 'server/request-pipeline.ts',
    find: '`${request.method} ${address}\\n${body}`',
    replace: '`${address && body}`',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'taken-key': {
    guard: 'A key that is taken is not taken again before its day is over.',
    file: 'server/idempotency/store.ts',
    find: 'where idempotency_keys.created_at <=',
    replace: 'where true or idempotency_keys.created_at <=',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'under-way-here': {
    guard: 'A second request with a key that this instance is working on waits in no connection.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (this.#inProgressKeys.has(name)) throw inProgress()',
    replace: '',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'under-way-elsewhere': {
    guard: 'A key that another instance holds for long is answered with 950.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'throw error instanceof RowLocked ? inProgress() : error',
    replace: 'throw error',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'lost-commit': {
    guard: 'A request whose commit was lost on the way is answered by its key.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (error instanceof CommitUnknown) return await this.#attempt(services, request, work)',
    replace: '',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'lost-query': {
    guard: 'A payment whose query was lost on the way is found by its key.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (error instanceof DatabaseNotReached || !(error instanceof DatabaseUnavailable)) throw error',
    replace: 'throw error',
    noticedBy: 'server/payments/start-payment-once.test.ts',
  },
  'payment-with-its-key': {
    guard: 'A payment is written only with the key that it was sent with.',
    file: 'server/payments/records/payment.sql.ts',
    find: 'from keyed where key in (select key from claimed)',
    replace: 'from keyed',
    noticedBy: 'server/payments/start-payment-once.test.ts',
  },
  'keys-of-a-public-key': {
    guard:
      "A token of a public key neither takes the keys of the merchant's backend nor is given its answers.",
    file: 'server/request-pipeline.ts',
    find: "return scope === 'secret' ? key : `\\n${key}`",
    replace: 'return scope && key',
    noticedBy: 'server/payments/start-payment-once.test.ts',
  },
  'answer-of-this-merchant': {
    guard: "A merchant is not given the answer of another merchant's key.",
    file: 'server/idempotency/store.ts',
    find: 'where merchant_id = ${request.merchantId} and key = ${request.key}',
    replace: 'where ${request.merchantId}::bigint is not null and key = ${request.key} limit 1',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'reaped-when-old': {
    guard: 'A key that is taken anew while the reaper waits for it is not deleted.',
    file: 'server/idempotency/store.ts',
    find: 'delete from idempotency_keys where created_at <= ${expiredBefore} and (merchant_id, key) in (',
    replace: 'delete from idempotency_keys where (merchant_id, key) in (',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
}
