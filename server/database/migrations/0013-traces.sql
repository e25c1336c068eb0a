-- oldest program: 1

-- on Citus: distributed
create table traces (
  merchant_id bigint not null,
  at timestamptz not null,
  id bigint not null,
  payment_id bigint not null,
  attempt_id bigint not null,
  peer text not null,
  direction text not null check (direction in ('sent', 'received')),
  kind text not null,
  body jsonb not null,
  primary key (merchant_id, at, id)
);

comment on table traces is
  'Messages of 3-D Secure and of banks'' pages, without secret fields. The time is in the key, so the table can be partitioned by it.';
comment on column traces.peer is 'Party that the message was sent to or received from.';

create index traces_of_payment on traces (merchant_id, payment_id, at);

create index traces_at on traces (at);
