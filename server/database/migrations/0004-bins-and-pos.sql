-- oldest program: 1

-- What cards are by the first digits of their numbers, as operators import it. A table is written whole under an id of
-- its own and then chosen; the rows of the one before go, its line in bin_tables stays as a record.
create table bin_tables (
  id bigint primary key,
  source text not null,
  as_of date not null,
  row_count integer not null,
  imported_at timestamptz not null
);

-- Very many BINs are of few kinds of cards, so a BIN is a number and the number of its kind.
create table bin_kinds (
  table_id bigint not null,
  id integer not null,
  bank_code integer not null,
  bank_name text not null,
  brand text not null,
  type text not null check (type in ('credit', 'debit')),
  family text,
  segment text not null check (segment in ('personal', 'commercial')),
  country text not null,
  prepaid boolean not null,
  primary key (table_id, id)
);

create table bins (
  table_id bigint not null,
  prefix integer not null check (prefix between 100000 and 99999999),
  kind_id integer not null,
  primary key (table_id, prefix)
);

-- The table that answers; without one, the one that comes with the program.
create table bin_choice (
  only_row boolean primary key default true check (only_row),
  table_id bigint
);

insert into bin_choice (table_id) values (null);

-- A merchant's contract with a bank. What the bank gave to sign in with is sealed (server/kit/seal.ts) with the key
-- that secrets_key names, and never leaves the row in the open.
create table pos_credentials (
  merchant_id bigint not null,
  id bigint not null,
  name text not null,
  bank_code integer not null,
  connector text not null,
  currencies text[] not null,
  families text[] not null,
  state text not null check (state in ('active', 'refund_only', 'off')),
  priority integer not null,
  secrets bytea not null,
  secrets_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, name)
);

-- The key that the service sealed with when it last started. A command that has another secret would seal what the service
-- cannot open, and is refused.
create table sealing_key (
  only_row boolean primary key default true check (only_row),
  key_id text
);

insert into sealing_key (key_id) values (null);

-- What a bank takes, from when on. Rows are appended and never changed: of the same POS, family, segment and number of
-- installments the one that began last holds, of several that began at once the one of the latest revision, which counts
-- the changes of a POS whatever clocks say. A rate that is null says that from then on there is none.
create table commission_rates (
  merchant_id bigint not null,
  id bigint not null,
  pos_id bigint not null,
  family text not null,
  segment text not null check (segment in ('personal', 'commercial')),
  installment integer not null check (installment between 1 and 36),
  rate numeric(6, 4),
  commission_by integer not null check (commission_by in (1, 2)),
  valid_from timestamptz not null,
  revision integer not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, pos_id) references pos_credentials (merchant_id, id)
);

create unique index commission_rates_latest on commission_rates
  (merchant_id, pos_id, family, segment, installment, valid_from desc, revision desc);
