-- oldest program: 1

-- on Citus: distributed
create table refunds (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  state text not null check (state in ('under_review', 'approved', 'executed', 'rejected', 'failed')),
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null,
  charged bigint not null check (charged between 1 and 99999999999),
  commission bigint not null check (commission between 0 and charged),
  description text not null,
  instrument_fingerprint bytea not null,
  requested_by text not null,
  requested_at timestamptz not null,
  policy text not null check (policy in ('automatic', 'manual')),
  due_at timestamptz,
  violations jsonb not null,
  decided_by text,
  decided_at timestamptz,
  reason text,
  ended_at timestamptz,
  code text,
  message text,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, instrument_fingerprint) references instruments (merchant_id, fingerprint)
);

comment on table refunds is 'Refunds that merchants requested, from the request to the outcome.';
comment on column refunds.amount is 'Refunded part of the payment''s amount.';
comment on column refunds.charged is 'Amount that the payer gets, with the additions for installments.';
comment on column refunds.commission is 'Part of it that the bank had kept.';
comment on column refunds.instrument_fingerprint is 'Instrument that the money goes back to.';
comment on column refunds.due_at is 'Time at which the rules decide; null in a manual review.';
comment on column refunds.violations is 'Rules that the refund violates.';
comment on column refunds.code is 'Code of the last response of the bank; message is its text.';

create index refunds_of_payment on refunds (merchant_id, payment_id, id);

create index refunds_requested on refunds (merchant_id, requested_at);

create index refunds_to_instrument on refunds (merchant_id, instrument_fingerprint, requested_at);

create index refunds_due on refunds (due_at) where due_at is not null;

create index refunds_under_review on refunds (requested_at) where state = 'under_review';

-- A payment has at most one refund without an outcome.
create unique index refunds_one_open on refunds (merchant_id, payment_id) where state in ('under_review', 'approved');

-- on Citus: distributed
create table refund_policies (
  merchant_id bigint primary key,
  policy text not null check (policy in ('automatic', 'manual')),
  delay_seconds integer not null check (delay_seconds between 0 and 2592000),
  on_violation text not null check (on_violation in ('review', 'reject')),
  max_age_days integer not null check (max_age_days between 1 and 3650),
  usual_times integer not null check (usual_times between 1 and 1000),
  rate_percent integer not null check (rate_percent between 1 and 100),
  card_times integer not null check (card_times between 1 and 1000),
  updated_at timestamptz not null
);

comment on table refund_policies is
  'Review policies of merchants. A merchant without a row has the default of the program.';
comment on column refund_policies.on_violation is 'Outcome of a review in which a rule is violated.';
