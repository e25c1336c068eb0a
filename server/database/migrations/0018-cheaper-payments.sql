-- oldest program: 16

-- Each of these rows is inserted by the query that changes or locks the row it refers to, and no such row is ever
-- deleted. The check took a third of the time of these queries. `vezne ledger check` reports a row without its owner.
alter table payment_attempts drop constraint payment_attempts_merchant_id_payment_id_fkey;
alter table payment_attempts drop constraint payment_attempts_merchant_id_instrument_fingerprint_fkey;
alter table bank_calls drop constraint bank_calls_merchant_id_attempt_id_fkey;
alter table authentications drop constraint authentications_merchant_id_attempt_id_fkey;
alter table events drop constraint events_merchant_id_payment_id_fkey;
alter table event_positions drop constraint event_positions_merchant_id_event_id_fkey;
alter table webhook_deliveries drop constraint webhook_deliveries_merchant_id_webhook_id_fkey;

-- Support finds an authentication by its attempt. Every change of a row wrote to this index too.
drop index authentications_of_payment;
