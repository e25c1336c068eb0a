-- oldest program: 1

-- on Citus: reference
create table merchants (
  id bigint primary key,
  name text not null,
  live boolean not null,
  made_by text not null check (made_by in ('command', 'demo')),
  state text not null check (state in ('active', 'suspended')),
  language text not null check (language in ('tr', 'en')),
  country text not null,
  time_zone text not null,
  currency text not null,
  page_lifetime_minutes integer not null check (page_lifetime_minutes between 5 and 1440),
  white_label boolean not null,
  products_required boolean not null,
  supports_3d boolean not null,
  supports_2d boolean not null,
  supports_installment boolean not null,
  origins text[] not null,
  colour text,
  settlement_days integer not null check (settlement_days between 0 and 90),
  pre_auth_deadline_hours integer check (pre_auth_deadline_hours between 1 and 8760),
  at_pre_auth_deadline text not null check (at_pre_auth_deadline in ('capture', 'release')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

comment on table merchants is 'Merchants. A merchant is test or live forever and is never deleted.';
comment on column merchants.origins is 'Origins of the web pages that may embed the payment page.';
comment on column merchants.settlement_days is 'Days from a charge until the merchant can use the money.';
comment on column merchants.pre_auth_deadline_hours is
  'Hours after which a pre-authorization is resolved automatically; null for never.';

-- on Citus: reference
create table merchant_keys (
  merchant_id bigint not null references merchants (id),
  id bigint not null,
  scope text not null check (scope in ('secret', 'public')),
  hash bytea not null unique,
  hint text not null,
  label text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (merchant_id, id)
);

comment on table merchant_keys is 'API keys of merchants. The text of a key is not stored.';
comment on column merchant_keys.hash is 'Hash of the text of the key.';
comment on column merchant_keys.hint is 'Beginning and end of the key, by which people tell keys apart.';

create index merchant_keys_revoked on merchant_keys (revoked_at) where revoked_at is not null;

-- on Citus: local
create table merchant_changes (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);

comment on table merchant_changes is
  'Number of changes of merchants and keys. It grows in the transaction of each change. Instances compare it to learn that their cache is out of date.';

insert into merchant_changes (count) values (0);
