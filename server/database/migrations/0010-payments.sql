-- oldest program: 1

-- on Citus: distributed
create table payments (
  merchant_id bigint not null,
  id bigint not null,
  state text not null check (state in ('open', 'authenticating', 'authorizing', 'reversing', 'paid', 'held',
    'capturing', 'releasing', 'partly_refunded', 'refunded', 'failed', 'expired')),
  version integer not null,
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null,
  pre_auth boolean not null,
  customer_id bigint,
  customer_by_page boolean not null,
  items jsonb not null,
  metadata jsonb not null,
  description text,
  redirect_url text,
  page_key bytea not null,
  started_by text not null check (started_by in ('secret', 'public')),
  language text check (language in ('tr', 'en')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  viewed_at timestamptz,
  ended_at timestamptz,
  due_at timestamptz,
  attempt_count integer not null,
  attempt_id bigint,
  event_count integer not null,
  installment_count integer not null,
  code text,
  message text,
  resolution text check (resolution in ('capture', 'release')),
  resolved_by text,
  resolved_at timestamptz,
  refunded bigint not null,
  refund_id bigint,
  primary key (merchant_id, id),
  constraint payments_state_matches_refunded check (case state
    when 'refunded' then refunded = amount
    when 'partly_refunded' then refunded > 0 and refunded < amount
    else refunded = 0 end),
  constraint payments_state_matches_resolution check (case state
    when 'held' then resolution is null
    when 'capturing' then resolution is not distinct from 'capture'
    when 'releasing' then resolution is not distinct from 'release'
    else true end)
);

comment on table payments is 'Payments from their start to their outcome.';
comment on column payments.version is
  'Number of changes. Every change starts from the version that it was decided on, so only one of two concurrent changes is written.';
comment on column payments.customer_by_page is 'True if the customer was created on the payment page and can be corrected there.';
comment on column payments.page_key is
  'Hash of the secret in the address of the payment page. A reader of this table cannot open the page.';
comment on column payments.language is 'Language that the payer chose on the page.';
comment on column payments.due_at is
  'Time at which the payment is due in its state: its page expires, or its pre-authorization is resolved.';
comment on column payments.attempt_id is 'Attempt that the payment waits for, or that decided it.';
comment on column payments.code is 'Code of the last response of a bank; message is its text.';
comment on column payments.resolution is
  'Resolution of the pre-authorization that was requested; resolved_by and resolved_at say by whom and when.';
comment on column payments.refunded is 'Refunded part of the amount.';
comment on column payments.refund_id is 'The open refund.';

create index payments_due on payments (due_at) where due_at is not null;

-- on Citus: distributed
create table instruments (
  merchant_id bigint not null,
  fingerprint bytea not null,
  kind text not null check (kind in ('card')),
  mask text not null,
  brand text,
  created_at timestamptz not null,
  primary key (merchant_id, fingerprint)
);

comment on table instruments is 'Instruments with which payers of a merchant have paid. Attempts and refunds point at them.';
comment on column instruments.fingerprint is 'Keyed hash that identifies the instrument: of a card, of its number.';
comment on column instruments.brand is 'Brand of a card; null as long as its BIN is unknown.';
comment on column instruments.mask is 'Readable part by which people recognize the instrument: of a card, the first and last digits of its number.';

-- on Citus: distributed
create table payment_attempts (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  number integer not null,
  reference text not null,
  state text not null check
    (state in ('authenticating', 'authorizing', 'approved', 'declined', 'abandoned', 'reversing', 'reversed')),
  version integer not null,
  pos_id bigint not null,
  connector text not null,
  pre_auth boolean not null,
  currency text not null,
  charged bigint not null check (charged between 1 and 99999999999),
  bank_charged bigint check (bank_charged >= 0 and bank_charged <> charged),
  commission bigint not null check (commission between 0 and charged),
  commission_id bigint not null,
  installment integer not null,
  reason jsonb not null,
  instrument_fingerprint bytea not null,
  payer_address text,
  submission text,
  began_at timestamptz not null,
  asked_at timestamptz,
  ended_at timestamptz,
  code text,
  message text,
  decline_reason text,
  bank_references jsonb,
  due_at timestamptz,
  tries integer not null,
  needs_review_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, instrument_fingerprint) references instruments (merchant_id, fingerprint),
  unique (merchant_id, payment_id, number)
);

comment on table payment_attempts is 'Attempts to pay: one submitted card each.';
comment on column payment_attempts.reference is
  'Reference of the charge at the bank: the id and a random part, because a restored database assigns the same ids again.';
comment on column payment_attempts.charged is 'Amount that the payer is charged.';
comment on column payment_attempts.bank_charged is 'Amount that the bank has charged, if it is another one.';
comment on column payment_attempts.commission is 'Part of the charge that the bank keeps, by the rate commission_id.';
comment on column payment_attempts.reason is 'Reason for the choice of the POS.';
comment on column payment_attempts.submission is
  'The page''s name for one press of its button. A card that is sent twice under one name is one attempt.';
comment on column payment_attempts.asked_at is
  'Time of the first authorization request. From then on the response of the bank decides.';
comment on column payment_attempts.bank_references is 'References of the charge that the bank assigned.';
comment on column payment_attempts.due_at is 'Time at which the bank is asked again.';
comment on column payment_attempts.tries is 'Unsuccessful bank calls in the present state.';
comment on column payment_attempts.needs_review_at is 'Start of the manual review.';

create unique index payment_attempts_submission on payment_attempts (merchant_id, payment_id, submission)
  where submission is not null;

create index payment_attempts_due on payment_attempts (due_at) where due_at is not null;

create index payment_attempts_in_review on payment_attempts (needs_review_at) where needs_review_at is not null;

-- on Citus: distributed
create table modifications (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  pos_id bigint not null,
  kind text not null check (kind in ('capture', 'release', 'refund')),
  refund_id bigint,
  amount bigint not null check (amount between 1 and 99999999999),
  prior_refunded bigint not null check (prior_refunded >= 0),
  state text not null check (state in ('doing', 'done', 'refused')),
  version integer not null,
  operation text check (operation in ('capture', 'void', 'refund')),
  began_at timestamptz not null,
  asked_at timestamptz,
  ended_at timestamptz,
  code text,
  message text,
  decline_reason text,
  bank_references jsonb,
  due_at timestamptz,
  tries integer not null,
  needs_review_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

comment on table modifications is 'Captures, releases and refunds of approved charges at the bank.';
comment on column modifications.refund_id is 'The refund that it executes; null if it refunds a surplus.';
comment on column modifications.prior_refunded is 'Sum that was refunded of the charge when the modification began.';
comment on column modifications.version is 'Number of changes. Every change starts from the version that it was decided on.';
comment on column modifications.operation is 'Operation that the bank was asked for last.';
comment on column modifications.due_at is 'Time at which the bank is asked again.';
comment on column modifications.tries is 'Unsuccessful bank calls.';
comment on column modifications.needs_review_at is 'Start of the manual review.';

create index modifications_of_payment on modifications (merchant_id, payment_id);

create index modifications_due on modifications (due_at) where due_at is not null;

create index modifications_in_review on modifications (needs_review_at) where needs_review_at is not null;

-- Some banks cannot tell two refunds of one charge apart. They are asked for one after the other.
create unique index modifications_one_open_refund on modifications (merchant_id, payment_id)
  where state = 'doing' and kind = 'refund';

-- on Citus: distributed
create table bank_calls (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  modification_id bigint,
  operation text not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  outcome text,
  code text,
  detail text,
  primary key (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

comment on table bank_calls is
  'Calls to banks with their outcomes, as evidence. Each is written before the bank is called. Decisions of operators are recorded here too, as the operation manual.';
comment on column bank_calls.modification_id is 'Null if the call is about the charge itself.';

create index bank_calls_of_attempt on bank_calls (merchant_id, attempt_id, asked_at);

create index bank_calls_of_modification on bank_calls (merchant_id, modification_id) where modification_id is not null;

-- on Citus: distributed
create table verifications (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  modification_id bigint,
  pos_id bigint not null,
  kind text not null check (kind in ('charge', 'hold', 'capture', 'release', 'refund')),
  amount bigint not null check (amount between 1 and 99999999999),
  bank_amount bigint check (bank_amount >= 0 and bank_amount <> amount),
  currency text not null,
  state text not null check (state in ('unverified', 'verified', 'differs', 'settled')),
  version integer not null,
  approved_at timestamptz not null,
  ended_at timestamptz,
  source text check (source in ('inquiry', 'statement', 'manual')),
  due_at timestamptz,
  tries integer not null,
  needs_review_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id)
);

comment on table verifications is
  'Approvals whose amount the response of the bank did not name, until another source confirms the amount.';
comment on column verifications.id is 'Id of the attempt or of the modification that was approved.';
comment on column verifications.modification_id is 'Null if the charge itself is verified.';
comment on column verifications.bank_amount is 'Amount that the bank has, if it is another one.';
comment on column verifications.state is 'settled: a manual decision was made about the difference.';
comment on column verifications.source is 'Source that confirmed the amount or showed the difference.';
comment on column verifications.tries is 'Unsuccessful inquiries.';

create index verifications_of_payment on verifications (merchant_id, payment_id);

-- For each POS the approvals with the fewest inquiries are verified first, and of them the largest amounts.
create index verifications_waiting on verifications (merchant_id, pos_id, tries, amount desc, id)
  where state = 'unverified';

create index verifications_open on verifications (state, approved_at) where state in ('unverified', 'differs');

create index verifications_in_review on verifications (approved_at) where needs_review_at is not null;

-- on Citus: distributed
create table inquiry_limits (
  merchant_id bigint not null,
  pos_id bigint not null,
  second timestamptz not null,
  inquiries integer not null,
  failures integer not null,
  paused_until timestamptz,
  primary key (merchant_id, pos_id)
);

comment on table inquiry_limits is
  'Limit on the inquiries that verify approvals, for each POS and over all instances.';
comment on column inquiry_limits.inquiries is 'Inquiries in the second of the last one.';
comment on column inquiry_limits.failures is 'Failed inquiries in a row.';
