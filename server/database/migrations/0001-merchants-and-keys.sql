-- oldest program: 1

-- Ids are made in the application, from blocks reserved here: no sequence, so the schema runs on databases that
-- have none worth using. The first id has fourteen digits, and so have the next ninety trillion.
create table id_blocks (
  only_row boolean primary key default true check (only_row),
  next_id bigint not null
);

insert into id_blocks (next_id) values (10000000000001);

-- A merchant is test or live for good.
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
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A key is known by the hash of its text alone. The hint is its beginning and end, for people to tell keys apart.
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

create index merchant_keys_revoked_at on merchant_keys (revoked_at) where revoked_at is not null;

-- Grows with every change of a merchant or a key, in the transaction of that change. Running copies look at this
-- one number to learn that what they remember is out of date, whatever their clocks say.
create table merchant_changes (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);

insert into merchant_changes (count) values (0);
