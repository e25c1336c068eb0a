-- oldest program: 1

-- Customers and products belong to a merchant and are hidden when deleted, never gone: payments name them. No foreign
-- key leads to merchants: a merchant is never deleted, and the check would write a lock into its one row for every insert.
-- metadata and changes are lists in the row, so that a create is one insert and a read is one select.
-- words is what a record is found by (server/kit/words.ts); it is empty once the record is deleted.

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

create index customers_newest on customers (merchant_id, created_at desc, id desc) where deleted_at is null;

-- New records wait in a list that every search reads through, until there are enough of them to be sorted in at once:
-- the shorter the list the quicker the search, the longer the quicker the insert.
create index customers_words on customers using gin (words) with (gin_pending_list_limit = 1024);

create table products (
  merchant_id bigint not null,
  id bigint not null,
  product_name text not null,
  price bigint not null check (price between 1 and 99999999999),
  currency_code text not null,
  quantity integer not null,
  description text,
  product_image text,
  system_id integer not null,
  metadata jsonb not null,
  changes jsonb not null,
  words tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);

create index products_newest on products (merchant_id, created_at desc, id desc) where deleted_at is null;

create index products_words on products using gin (words) with (gin_pending_list_limit = 1024);
