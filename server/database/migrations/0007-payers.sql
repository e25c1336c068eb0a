-- oldest program: 1

-- The language that the payer has chosen on the page, where they did.
alter table payments add column language text check (language in ('tr', 'en'));

-- Whether its customer was made on its page, and so may still be corrected there.
alter table payments add column customer_by_page boolean not null default false;

-- What the page calls one press of its button: the same card sent twice under one name is one attempt.
alter table payment_attempts add column submission text;

create unique index payment_attempts_submission on payment_attempts (merchant_id, payment_id, submission)
  where submission is not null;
