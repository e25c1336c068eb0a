-- oldest program: 1

-- on Citus: distributed
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
  settings jsonb not null,
  secrets bytea not null,
  secrets_key_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, name)
);

comment on table pos_credentials is 'POS: the contracts of merchants with banks.';
comment on column pos_credentials.settings is 'Settings of the connector: the address of the bank and what it accepts.';
comment on column pos_credentials.secrets is 'Credentials at the bank, sealed with the key that secrets_key_id names.';

-- on Citus: local
create table pos_changes (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);

comment on table pos_changes is
  'Number of changes of POS. Instances compare it to learn that their cache is out of date.';

insert into pos_changes (count) values (0);

-- on Citus: local
create table sealing_key (
  only_row boolean primary key default true check (only_row),
  key_id text
);

comment on table sealing_key is
  'The key with which the service sealed when it last started. A command with another secret is refused, because the service could not open what it seals.';

insert into sealing_key (key_id) values (null);

-- on Citus: distributed
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

comment on table commission_rates is
  'Commission rates of banks. Rows are never changed. For one POS, family, segment and number of installments the row with the latest valid_from holds, and of several with the same time the one with the latest revision.';
comment on column commission_rates.rate is 'Percentage; null if there is no rate from then on.';
comment on column commission_rates.commission_by is 'Bearer of the commission: 1 is the merchant, 2 the payer.';
comment on column commission_rates.revision is 'Number of the change of the POS that wrote the row.';

create unique index commission_rates_latest on commission_rates
  (merchant_id, pos_id, family, segment, installment, valid_from desc, revision desc);
