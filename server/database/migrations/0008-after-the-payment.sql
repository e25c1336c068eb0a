-- oldest program: 1

-- What became of a payment after it was paid or held. Its state stays what an older program knows: one that is being
-- captured or released is held, one that was refunded is paid, and what is written here tells them apart.
alter table payments
  -- What was asked for when its pre-authorization was resolved, by whom and when.
  add column resolution text check (resolution in ('capture', 'release')),
  add column resolved_by text,
  add column resolved_at timestamptz,
  -- When what is held is resolved by itself. An older program looks at due_at, and would do nothing about it.
  add column deadline_at timestamptz,
  -- What refunds have given back of its amount, and the one whose outcome is open.
  add column refunded bigint not null default 0 check (refunded between 0 and amount),
  add column refund_id bigint;

create index payments_deadline on payments (deadline_at) where deadline_at is not null;

-- Something that a bank is to do to a charge that it approved: take what is held, let go of it, or give back.
create table deeds (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  pos_id bigint not null,
  kind text not null check (kind in ('capture', 'release', 'refund')),
  -- The refund that it carries out.
  refund_id bigint,
  -- What is taken, let go or given back of the charge, and what of it was given back before.
  amount bigint not null check (amount between 1 and 99999999999),
  given_back bigint not null default 0 check (given_back >= 0),
  state text not null check (state in ('doing', 'done', 'refused')),
  -- Every change is made on the version that it was decided on.
  version integer not null,
  -- What the bank was asked for last, and what it did in the end.
  way text check (way in ('capture', 'void', 'refund')),
  began_at timestamptz not null,
  asked_at timestamptz,
  ended_at timestamptz,
  code text,
  message text,
  decline_reason text,
  bank_references jsonb,
  -- When the bank has to be asked again, how often it was in vain, and since when people have to look.
  due_at timestamptz,
  tries integer not null,
  needs_person_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

create index deeds_of_payment on deeds (merchant_id, payment_id);

create index deeds_due on deeds (due_at) where due_at is not null;

create index deeds_people on deeds (needs_person_at) where needs_person_at is not null;

-- Some banks tell refunds of one charge apart by nothing: they are asked for one after the other.
create unique index deeds_one_refund on deeds (merchant_id, payment_id) where state = 'doing' and kind = 'refund';

alter table bank_calls add column deed_id bigint;

create index bank_calls_of_deed on bank_calls (merchant_id, deed_id) where deed_id is not null;

-- A merchant's wish to give money back, from the request to its outcome, with who decided what, when and why.
create table refunds (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  state text not null check (state in ('under_review', 'approved', 'executed', 'rejected', 'failed')),
  -- What is given back of the payment's amount; what the payer gets, additions for installments included; and what of
  -- that the bank had kept.
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null,
  charged bigint not null check (charged between 1 and 99999999999),
  commission bigint not null check (commission between 0 and charged),
  description text not null,
  -- The card that it goes back to, as attempts know it.
  card_fingerprint bytea not null,
  requested_by text not null,
  requested_at timestamptz not null,
  policy text not null check (policy in ('automatic', 'manual')),
  -- When the rules decide; null where a person does.
  due_at timestamptz,
  -- What the rules found.
  findings jsonb not null,
  decided_by text,
  decided_at timestamptz,
  reason text,
  ended_at timestamptz,
  -- What the bank said.
  code text,
  message text,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id)
);

create index refunds_of_payment on refunds (merchant_id, payment_id, id);

create index refunds_requested on refunds (merchant_id, requested_at);

create index refunds_to_card on refunds (merchant_id, card_fingerprint, requested_at);

create index refunds_due on refunds (due_at) where due_at is not null;

create index refunds_under_review on refunds (requested_at) where state = 'under_review';

-- No refund is asked for as long as the outcome of another is open.
create unique index refunds_one_open on refunds (merchant_id, payment_id) where state in ('under_review', 'approved');

-- How a merchant's refunds are reviewed; where there is no row, as server/refunds/policy.ts says.
create table refund_policies (
  merchant_id bigint primary key,
  policy text not null check (policy in ('automatic', 'manual')),
  delay_seconds integer not null check (delay_seconds between 0 and 2592000),
  -- What becomes of a refund that a rule objects to.
  on_finding text not null check (on_finding in ('review', 'reject')),
  max_age_days integer not null check (max_age_days between 1 and 3650),
  usual_times integer not null check (usual_times between 1 and 1000),
  rate_percent integer not null check (rate_percent between 1 and 100),
  card_times integer not null check (card_times between 1 and 1000),
  updated_at timestamptz not null
);

-- After how many hours a merchant's pre-authorizations are resolved by themselves, and how; and how many days after it was
-- taken money is the merchant's to use.
alter table merchants
  add column pre_auth_deadline_hours integer check (pre_auth_deadline_hours between 1 and 8760),
  add column at_pre_auth_deadline text not null default 'release' check (at_pre_auth_deadline in ('capture', 'release')),
  add column settlement_days integer not null default 1 check (settlement_days between 0 and 90);

-- The refund that a transfer is for, and from when on the merchant can use what it moved; null where that is at once.
alter table ledger_transfers
  add column refund_id bigint,
  add column available_at timestamptz;

-- What moved a merchant's balance, the newest last: all of it, of one currency, and refunds, which are few among payments.
create index ledger_transfers_of_balance on ledger_transfers (merchant_id, created_at, id)
  where debit = 'balance' or credit = 'balance';

create index ledger_transfers_of_currency on ledger_transfers (merchant_id, currency, created_at, id)
  where debit = 'balance' or credit = 'balance';

create index ledger_transfers_of_refunds on ledger_transfers (merchant_id, created_at, id) where reason = 'refund';

-- Up to which transfer the balance of a merchant is added up, so that nobody has to add up all of them.
create table balance_snapshots (
  merchant_id bigint primary key,
  until timestamptz not null,
  until_id bigint not null,
  taken_at timestamptz not null
);

-- What they add up to, by when it is available: '-infinity' for all that already was when it was added up.
create table balance_snapshot_sums (
  merchant_id bigint not null,
  currency text not null,
  available_at timestamptz not null,
  amount bigint not null,
  transfers bigint not null,
  primary key (merchant_id, currency, available_at)
);
