-- oldest program: 16

alter table merchants
  add column website text,
  add column support_email text,
  add column support_phone text;

comment on column merchants.website is 'Address to which a payment page leads payers back, if the payment names none.';
comment on column merchants.support_email is 'E-mail address for questions of payers.';
comment on column merchants.support_phone is 'Phone number for questions of payers, in E.164.';
