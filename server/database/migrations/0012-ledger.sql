-- oldest program: 1

-- on Citus: distributed
create table ledger_transfers (
  merchant_id bigint not null,
  id bigint not null,
  cause text not null,
  reason text not null,
  payment_id bigint not null,
  refund_id bigint,
  currency text not null,
  debit text not null check (debit in ('balance', 'receivable', 'commission', 'differences')),
  credit text not null check (credit in ('balance', 'receivable', 'commission', 'differences')),
  amount bigint not null check (amount between 1 and 99999999999),
  created_at timestamptz not null,
  available_at timestamptz,
  primary key (merchant_id, id),
  constraint ledger_transfers_one_per_cause unique (merchant_id, cause),
  constraint ledger_transfers_two_accounts check (debit <> credit)
);

comment on table ledger_transfers is
  'Transfers between the accounts of a merchant. Rows are inserted and never changed. A cause posts once.';
comment on column ledger_transfers.refund_id is 'The refund that the transfer is for.';
comment on column ledger_transfers.debit is
  'Account that is debited. The account differences holds what banks have of payers beyond the requested amounts.';
comment on column ledger_transfers.available_at is 'Time from which the merchant can use the money; null for at once.';

create index ledger_transfers_of_payment on ledger_transfers (merchant_id, payment_id);

-- Lists of a balance: all transfers, those of one currency, and refunds, which are few among payments.
create index ledger_transfers_of_balance on ledger_transfers (merchant_id, created_at, id)
  where debit = 'balance' or credit = 'balance';

create index ledger_transfers_of_currency on ledger_transfers (merchant_id, currency, created_at, id)
  where debit = 'balance' or credit = 'balance';

create index ledger_transfers_of_refunds on ledger_transfers (merchant_id, created_at, id) where reason = 'refund';

-- on Citus: distributed
create table balance_snapshots (
  merchant_id bigint primary key,
  until timestamptz not null,
  until_id bigint not null,
  taken_at timestamptz not null
);

comment on table balance_snapshots is
  'The last transfer that the stored sums of a merchant''s balance include. Later transfers are added when the balance is read.';

-- on Citus: distributed
create table balance_snapshot_sums (
  merchant_id bigint not null,
  currency text not null,
  available_at timestamptz not null,
  amount bigint not null,
  transfers bigint not null,
  primary key (merchant_id, currency, available_at)
);

comment on table balance_snapshot_sums is 'Sums of a balance snapshot by currency and time of availability.';
comment on column balance_snapshot_sums.available_at is
  '-infinity for all money that was available when the snapshot was taken.';
