-- oldest program: 1

-- on Citus: local
create table bin_tables (
  id bigint primary key,
  source text not null,
  as_of date not null,
  row_count integer not null,
  imported_at timestamptz not null
);

comment on table bin_tables is
  'Tables of BINs that operators imported. The rows of a replaced table are deleted; its line here stays as a record.';

-- on Citus: local
create table bin_kinds (
  table_id bigint not null,
  id integer not null,
  bank_code integer not null,
  bank_name text not null,
  brand text not null,
  type text not null check (type in ('credit', 'debit')),
  family text,
  segment text not null check (segment in ('personal', 'commercial')),
  country text not null,
  prepaid boolean not null,
  primary key (table_id, id)
);

comment on table bin_kinds is 'Kinds of cards in a table of BINs. Many BINs share few kinds.';

-- on Citus: local
create table bins (
  table_id bigint not null,
  prefix integer not null check (prefix between 100000 and 99999999),
  kind_id integer not null,
  primary key (table_id, prefix)
);

comment on table bins is 'BINs of the active table, each with its kind of card.';

-- on Citus: local
create table active_bin_table (
  only_row boolean primary key default true check (only_row),
  table_id bigint
);

comment on table active_bin_table is 'The table of BINs in use; null for the one that comes with the program.';

insert into active_bin_table (table_id) values (null);
