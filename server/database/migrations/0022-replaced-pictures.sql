-- oldest program: 16

comment on column pictures.stored_at is 'Time at which the merchant sent it last, or replaced or removed it.';

-- The search for unused pictures reads deleted products too.
drop index products_image;
create index products_image on products (merchant_id, product_image) where product_image is not null;
