import type { Area } from './mutation.ts'

export const idempotency: Area = {
  'key-for-another-request': {
    guard: 'A key that was used for one request is refused for another.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (!stored.fingerprint.equals(request.fingerprint)) throw new Refused(idempotencyKeyReused)',
    replace: '',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'fingerprint-of-the-address': {
    guard: 'The fingerprint of a request includes its method and path.',
    file: 'server/request-pipeline.ts',
    find: '`${request.method} ${address}\\n${body}`',
    replace: '`${address && body}`',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'taken-key': {
    guard: 'A claimed key cannot be claimed again within one day.',
    file: 'server/idempotency/store.ts',
    find: 'where excluded.stored_at - idempotency_keys.stored_at >=',
    replace: 'where true or excluded.stored_at - idempotency_keys.stored_at >=',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'under-way-here': {
    guard: 'A second request with a key that this instance is processing holds no connection.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (this.#inProgressKeys.has(name)) throw inProgress()',
    replace: '',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'under-way-elsewhere': {
    guard: 'A request whose key another instance holds for long is answered with 950.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'throw error instanceof RowLocked ? inProgress() : error',
    replace: 'throw error',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'lost-commit': {
    guard: 'A request whose commit got no answer is answered by its key.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (error instanceof CommitUnknown) return await this.#attempt(services, request, work)',
    replace: '',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'lost-query': {
    guard: 'A payment whose query got no answer is found by its key.',
    file: 'server/idempotency/idempotency-handler.ts',
    find: 'if (error instanceof DatabaseNotReached || !(error instanceof DatabaseUnavailable)) throw error',
    replace: 'throw error',
    noticedBy: 'server/payments/start-payment-once.test.ts',
  },
  'payment-with-its-key': {
    guard: 'A payment is written only if its request claims the idempotency key.',
    file: 'server/payments/records/payment.sql.ts',
    find: 'from given_payments where key in (select key from claimed_keys)',
    replace: 'from given_payments',
    noticedBy: 'server/payments/start-payment-once.test.ts',
  },
  'keys-of-a-public-key': {
    guard:
      "A token of a public key neither uses the idempotency keys of the merchant's backend nor gets its answers.",
    file: 'server/request-pipeline.ts',
    find: "return scope === 'secret' ? key : `\\n${key}`",
    replace: 'return scope && key',
    noticedBy: 'server/payments/start-payment-once.test.ts',
  },
  'answer-of-this-merchant': {
    guard: "A merchant never gets the answer of another merchant's key.",
    file: 'server/idempotency/store.ts',
    find: 'where merchant_id = ${request.merchantId} and key = ${request.key}',
    replace: 'where ${request.merchantId}::bigint is not null and key = ${request.key} limit 1',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
  'reaped-when-old': {
    guard: 'A key that is claimed again while the reaper waits for it is not deleted.',
    file: 'server/idempotency/store.ts',
    find: 'delete from idempotency_keys where stored_at <= ${expiredBefore} and (merchant_id, key) in (',
    replace: 'delete from idempotency_keys where (merchant_id, key) in (',
    noticedBy: 'server/idempotency/idempotency-handler.test.ts',
  },
}
