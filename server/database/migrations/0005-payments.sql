-- oldest program: 1

-- A payment from its start to its outcome. Its items and metadata are lists in the row, so that starting one is one insert.
-- version counts the moves; every move is made on the version that it was decided on, so of two at once one is refused.
create table payments (
  merchant_id bigint not null,
  id bigint not null,
  state text not null check
    (state in ('open', 'authenticating', 'authorizing', 'reversing', 'paid', 'held', 'failed', 'expired')),
  version integer not null,
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null,
  pre_auth boolean not null,
  customer_id bigint,
  items jsonb not null,
  metadata jsonb not null,
  description text,
  redirect_url text,
  -- The hash of what the address of its page ends with: whoever reads this table opens no page by it.
  page_key bytea not null,
  started_by text not null check (started_by in ('secret', 'public')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  viewed_at timestamptz,
  ended_at timestamptz,
  -- When somebody has to look at it, unless it has moved on before.
  due_at timestamptz,
  attempt_count integer not null,
  -- The attempt that it waits for, or that decided it.
  attempt_id bigint,
  event_count integer not null,
  -- What the last attempt with an answer was about, and what its bank said.
  installment_count integer not null,
  code text,
  message text,
  primary key (merchant_id, id)
);

create index payments_due on payments (due_at) where due_at is not null;

-- One try to pay with one card.
create table payment_attempts (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  number integer not null,
  -- By what the bank knows it: the id and something random, for ids begin anew in every database, and after a restore.
  reference text not null,
  state text not null check
    (state in ('authenticating', 'authorizing', 'approved', 'declined', 'abandoned', 'reversing', 'reversed')),
  version integer not null,
  pos_id bigint not null,
  connector text not null,
  pre_auth boolean not null,
  currency text not null,
  -- What the payer is charged, what of it the bank keeps, and by which rate.
  charged bigint not null check (charged between 1 and 99999999999),
  commission bigint not null check (commission between 0 and charged),
  commission_id bigint not null,
  installment integer not null,
  -- Why this POS, as server/pos/offer.ts says it.
  reason jsonb not null,
  card_masked text not null,
  card_fingerprint bytea not null,
  payer_address text,
  began_at timestamptz not null,
  -- When the bank was first asked for money: from then on its answer decides.
  asked_at timestamptz,
  ended_at timestamptz,
  code text,
  message text,
  decline_reason text,
  -- By what the bank knows it, for later deeds.
  bank_references jsonb,
  -- When the bank has to be asked again, how often it was, and since when people have to look.
  due_at timestamptz,
  tries integer not null,
  needs_person_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  unique (merchant_id, payment_id, number)
);

create index payment_attempts_due on payment_attempts (due_at) where due_at is not null;

create index payment_attempts_people on payment_attempts (needs_person_at) where needs_person_at is not null;

-- Every question that a bank was asked, written before it is asked, with what came of it: the evidence.
create table bank_calls (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  operation text not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  outcome text,
  code text,
  detail text,
  primary key (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

create index bank_calls_of_attempt on bank_calls (merchant_id, attempt_id, asked_at);

-- What happened to a payment, for the merchant to hear of: written with the state it tells of, numbered without gaps.
create table events (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  number integer not null,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, payment_id, number),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id)
);

-- Amounts that moved from one account of a merchant to another. Rows are appended and never changed; a cause posts once.
create table ledger_transfers (
  merchant_id bigint not null,
  id bigint not null,
  cause text not null,
  reason text not null,
  payment_id bigint not null,
  currency text not null,
  debit text not null check (debit in ('balance', 'receivable', 'commission')),
  credit text not null check (credit in ('balance', 'receivable', 'commission')),
  amount bigint not null check (amount between 1 and 99999999999),
  created_at timestamptz not null,
  check (debit <> credit),
  primary key (merchant_id, id),
  unique (merchant_id, cause)
);

create index ledger_transfers_of_payment on ledger_transfers (merchant_id, payment_id);

-- A card for the minutes of its authentication, sealed. Without a log, so that neither replica nor backup of the log has it.
create unlogged table sealed_cards (
  merchant_id bigint not null,
  attempt_id bigint not null,
  bytes bytea not null,
  key_id text not null,
  hour integer not null,
  primary key (merchant_id, attempt_id)
);

-- What cards are sealed with beside the secret, an hour each. Two tables, so that the one of two hours ago can be emptied
-- whole: a deleted row would stay in its page.
create unlogged table card_salts_even (
  hour integer primary key,
  salt bytea not null
);

create unlogged table card_salts_odd (
  hour integer primary key,
  salt bytea not null
);

-- Whoever makes or destroys the salts of a table holds its row here, so that no one destroys what another has just made.
create table card_salt_turns (
  parity integer primary key check (parity in (0, 1)),
  hour integer not null
);

insert into card_salt_turns (parity, hour) values (0, 0), (1, 0);

-- How often something was tried in a stretch of time. The name is a keyed hash.
create table attempt_counts (
  name text not null,
  stretch bigint not null,
  count integer not null,
  primary key (name, stretch)
);

create index attempt_counts_stretch on attempt_counts (stretch);

-- Grows with every change of a POS, so that copies know when what they remember is out of date.
create table pos_changes (
  only_row boolean primary key default true check (only_row),
  count bigint not null
);

insert into pos_changes (count) values (0);
