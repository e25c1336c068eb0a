-- oldest program: 16

-- on Citus: distributed
create table pictures (
  merchant_id bigint not null,
  digest text not null,
  whole bytea not null,
  tile bytea not null,
  stored_at timestamptz not null,
  primary key (merchant_id, digest)
);

comment on table pictures is
  'Logos of merchants and images of their products, as WebP. Nothing refers to a picture by a key: a page shows a letter in place of a picture that is gone.';
comment on column pictures.digest is 'SHA-256 of both pictures, base64url. It is part of the address.';
comment on column pictures.tile is 'A small opaque square, for payment pages.';
comment on column pictures.stored_at is 'Time at which the merchant sent it last.';

alter table merchants add column logo text;

comment on column merchants.logo is 'Digest of a picture.';
comment on column products.product_image is 'Digest of a picture.';

create index products_image on products (merchant_id, product_image) where product_image is not null and deleted_at is null;
