-- oldest program: 1

-- No tenant table has a foreign key to merchants: a merchant is never deleted, and the check would lock its one row for
-- every insert.
-- on Citus: distributed
create table customers (
  merchant_id bigint not null,
  id bigint not null,
  name text not null,
  lastname text not null,
  email text not null,
  phone text not null,
  country text not null,
  city text,
  district text,
  address text,
  zip_code text,
  created_via_payment boolean not null,
  metadata jsonb not null,
  changes jsonb not null,
  words tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);

comment on table customers is
  'Customers of merchants. A deleted customer is hidden and stays, because payments name it.';
comment on column customers.changes is 'The timeline of the customer. Every change adds an entry.';
comment on column customers.words is 'Words by which a search finds the customer; empty once it is deleted.';

create index customers_newest on customers (merchant_id, created_at desc, id desc) where deleted_at is null;

-- New rows wait in a pending list that every search reads. A shorter list makes searches faster and inserts slower.
create index customers_words on customers using gin (words) with (gin_pending_list_limit = 1024);
