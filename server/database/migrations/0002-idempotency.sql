-- oldest program: 1

-- A key and the effect of its request commit together. The answer is kept as the bytes that were sent.
create table idempotency_keys (
  merchant_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  answer text,
  created_at timestamptz not null,
  primary key (merchant_id, key)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
