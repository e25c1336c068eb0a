-- oldest program: 1

-- on Citus: distributed
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

comment on table events is
  'Events of payments. Each is written with the state that it reports. Rows are inserted and never changed.';
comment on column events.number is 'Number of the event in its payment, from 1 without gaps.';

-- on Citus: distributed
create table event_positions (
  merchant_id bigint not null,
  event_id bigint not null,
  position bigint,
  created_at timestamptz not null,
  primary key (merchant_id, event_id),
  foreign key (merchant_id, event_id) references events (merchant_id, id)
);

comment on table event_positions is
  'Positions of events in the lists of merchants, from 1 without gaps. A position is assigned once the event is visible to everybody, so a reader who continues after the last known event misses none.';
comment on column event_positions.position is 'Null until it is assigned.';
comment on column event_positions.created_at is 'Time of the event.';

create unique index event_positions_in_order on event_positions (merchant_id, position);

create index event_positions_unassigned on event_positions (merchant_id, created_at) where position is null;

-- on Citus: distributed
create table event_lists (
  merchant_id bigint primary key,
  last_position bigint not null
);

comment on table event_lists is
  'The last assigned position of each merchant. Its lock makes instances assign positions one after the other.';
