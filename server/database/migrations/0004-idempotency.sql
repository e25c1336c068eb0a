-- oldest program: 1

-- on Citus: distributed
create table idempotency_keys (
  merchant_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  answer text,
  stored_at timestamptz not null,
  primary key (merchant_id, key)
);

comment on table idempotency_keys is
  'Idempotency-Keys of requests. A key and the effect of its request are committed together.';
comment on column idempotency_keys.fingerprint is
  'Hash of the request. The same key with another request is refused.';
comment on column idempotency_keys.answer is 'The response as it was sent.';

create index idempotency_keys_stored on idempotency_keys (stored_at);
