-- oldest program: 1

-- What has to be known of a POS beside its secrets: where its bank is, and what it is set to accept.
alter table pos_credentials add column settings jsonb not null default '{}';

-- How the holder of a card was proven, or not: one row for each attempt that came so far. What a bank said about an
-- authentication is the truth of the servers; what a browser brought is none.
create table authentications (
  merchant_id bigint not null,
  attempt_id bigint not null,
  payment_id bigint not null,
  -- Who proves it: our own 3-D Secure server, or the bank's page.
  way text not null check (way in ('us', 'bank')),
  state text not null check (state in ('begun', 'asking', 'challenging', 'proven', 'refused')),
  -- Every change is made on the version that it was decided on.
  version integer not null,
  -- What is authenticated: nothing else may be charged on it.
  amount bigint not null,
  currency text not null,
  -- By what the servers of 3-D Secure know it, and in which version of their language.
  server_id text,
  acs_id text,
  directory_id text,
  protocol text,
  scheme text,
  -- Where the bank looks at the browser before it is asked, and whether it came to an end.
  method_url text,
  method_heard_at timestamptz,
  -- Where the payer is asked.
  acs_url text,
  -- What came of it, in the words of the protocol.
  status text,
  reason text,
  cancel text,
  eci text,
  holder_text text,
  -- The cryptogram, sealed, until the bank has been asked.
  proof bytea,
  proof_key text,
  began_at timestamptz not null,
  asked_at timestamptz,
  challenged_at timestamptz,
  returned_at timestamptz,
  ended_at timestamptz,
  -- When somebody has to look at it.
  due_at timestamptz,
  primary key (merchant_id, attempt_id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

create index authentications_of_payment on authentications (payment_id);

create index authentications_due on authentications (due_at) where due_at is not null;

-- Messages as they went and came, without what must not be kept.
create table traces (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  at timestamptz not null,
  -- Whom it went to or came from.
  peer text not null,
  direction text not null check (direction in ('sent', 'received')),
  kind text not null,
  body jsonb not null,
  primary key (merchant_id, id)
);

create index traces_of_payment on traces (payment_id, at);

create index traces_at on traces (at);
