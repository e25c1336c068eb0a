-- oldest program: 1

-- on Citus: distributed
create table authentications (
  merchant_id bigint not null,
  attempt_id bigint not null,
  payment_id bigint not null,
  mode text not null check (mode in ('three_ds_server', 'bank_page')),
  state text not null check (state in ('begun', 'asking', 'challenging', 'proven', 'refused')),
  version integer not null,
  amount bigint not null,
  currency text not null,
  server_trans_id text,
  acs_trans_id text,
  ds_trans_id text,
  protocol text,
  scheme text,
  method_url text,
  method_completed_at timestamptz,
  acs_url text,
  status text,
  reason text,
  cancel text,
  eci text,
  holder_text text,
  proof bytea,
  proof_key_id text,
  began_at timestamptz not null,
  asked_at timestamptz,
  challenged_at timestamptz,
  returned_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  primary key (merchant_id, attempt_id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

comment on table authentications is
  'Authentications of payers, at most one for each attempt. Only messages between servers count; data from a browser proves nothing.';
comment on column authentications.mode is 'Authentication by our own 3DS Server or on the page of the bank.';
comment on column authentications.version is 'Number of changes. Every change starts from the version that it was decided on.';
comment on column authentications.amount is 'Authenticated amount. No other amount may be charged.';
comment on column authentications.protocol is 'Version of the EMV 3DS messages.';
comment on column authentications.method_url is 'Address of the 3DS Method of the ACS.';
comment on column authentications.acs_url is 'Address of the challenge.';
comment on column authentications.status is 'Outcome in the words of the protocol, as are reason, cancel and eci.';
comment on column authentications.proof is 'The cryptogram, sealed, until the bank was called.';

create index authentications_of_payment on authentications (merchant_id, payment_id);

create index authentications_due on authentications (due_at) where due_at is not null;
