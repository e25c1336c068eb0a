-- oldest program: 1

-- Unlogged, so that neither a replica nor a backup of the log has a card.
-- on Citus: distributed
create unlogged table sealed_cards (
  merchant_id bigint not null,
  attempt_id bigint not null,
  bytes bytea not null,
  key_id text not null,
  hour integer not null,
  primary key (merchant_id, attempt_id)
);

comment on table sealed_cards is 'Cards, sealed, for the minutes of their authentication.';
comment on column sealed_cards.hour is 'Hour of the hour key that seals the card together with the installation''s secret.';

-- on Citus: reference
create unlogged table card_hour_keys_even (
  hour integer primary key,
  bytes bytea not null
);

comment on table card_hour_keys_even is
  'Hour keys of even hours. Each is destroyed after the next hour. Even and odd hours have separate tables, so that a table can be truncated: a deleted row would stay in its page.';

-- on Citus: reference
create unlogged table card_hour_keys_odd (
  hour integer primary key,
  bytes bytea not null
);

comment on table card_hour_keys_odd is 'Hour keys of odd hours.';

-- on Citus: local
create table card_hour_key_locks (
  parity integer primary key check (parity in (0, 1)),
  hour integer not null
);

comment on table card_hour_key_locks is
  'One row for each table of hour keys. Its lock keeps one instance from destroying a key that another has just created.';

insert into card_hour_key_locks (parity, hour) values (0, 0), (1, 0);

-- on Citus: local
create table attempt_counts (
  name text not null,
  stretch bigint not null,
  count integer not null,
  primary key (name, stretch)
);

comment on table attempt_counts is 'Submitted cards per stretch of time, for the limit on attempts.';
comment on column attempt_counts.name is 'Keyed hash of the card or the address that is limited.';

create index attempt_counts_stretch on attempt_counts (stretch);
