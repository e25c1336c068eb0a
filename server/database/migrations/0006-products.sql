-- oldest program: 1

-- on Citus: distributed
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

comment on table products is
  'Products of merchants. A deleted product is hidden and stays, because payments name it.';
comment on column products.price is 'Price in minor units, like every amount in this schema.';
comment on column products.changes is 'The timeline of the product. Every change adds an entry.';
comment on column products.words is 'Words by which a search finds the product; empty once it is deleted.';

create index products_newest on products (merchant_id, created_at desc, id desc) where deleted_at is null;

create index products_words on products using gin (words) with (gin_pending_list_limit = 1024);
