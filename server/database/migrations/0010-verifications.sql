-- oldest program: 1

-- An approval whose amount the bank's answer did not name, until the bank's book is known to say the same: one row for a
-- charge, a hold, a capture, a release or a refund.
create table verifications (
  merchant_id bigint not null,
  -- The id of the attempt or of the deed that was approved.
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  -- Null where it is about the charge itself.
  deed_id bigint,
  pos_id bigint not null,
  kind text not null check (kind in ('charge', 'hold', 'capture', 'release', 'refund')),
  -- The amount that was asked for, and the one that the bank has where it is another.
  amount bigint not null check (amount between 1 and 99999999999),
  bank_amount bigint check (bank_amount >= 0 and bank_amount <> amount),
  currency text not null,
  -- settled: people have decided about a difference.
  state text not null check (state in ('unverified', 'verified', 'differs', 'settled')),
  -- Every change is made on the version that it was decided on.
  version integer not null,
  approved_at timestamptz not null,
  ended_at timestamptz,
  -- What verified it or showed the difference.
  source text check (source in ('inquiry', 'statement', 'person')),
  -- When the bank is asked next, how often it was in vain, and since when people have to look.
  due_at timestamptz,
  tries integer not null,
  needs_person_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

create index verifications_of_payment on verifications (merchant_id, payment_id);

-- Of each POS those that were asked about the least often are verified first, and of them the largest amounts.
create index verifications_waiting on verifications (merchant_id, pos_id, tries, amount desc, id)
  where state = 'unverified';

create index verifications_open on verifications (state, approved_at) where state in ('unverified', 'differs');

create index verifications_people on verifications (approved_at) where needs_person_at is not null;

-- How many inquiries a POS was sent in the second that it was last sent any, by all instances together, and until when it
-- is sent none because its inquiries fail.
create table verification_paces (
  merchant_id bigint not null,
  pos_id bigint not null,
  second timestamptz not null,
  inquiries integer not null,
  failures integer not null,
  paused_until timestamptz,
  primary key (merchant_id, pos_id)
);

-- What the bank has charged where that is not what it was asked for.
alter table payment_attempts add column bank_charged bigint check (bank_charged >= 0 and bank_charged <> charged);

-- The account of differences: what banks have of payers beyond our book.
alter table ledger_transfers drop constraint ledger_transfers_debit_check;
alter table ledger_transfers drop constraint ledger_transfers_credit_check;
alter table ledger_transfers add check (debit in ('balance', 'receivable', 'commission', 'differences'));
alter table ledger_transfers add check (credit in ('balance', 'receivable', 'commission', 'differences'));
