-- oldest program: 16

-- on Citus: distributed
create table webhooks (
  merchant_id bigint not null,
  id bigint not null,
  url text not null,
  events jsonb,
  description text,
  status text not null check (status in ('enabled', 'disabled')),
  disabled_because text check (disabled_because in ('merchant', 'operator', 'gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);

comment on table webhooks is 'Addresses to which merchants'' events are delivered.';
comment on column webhooks.events is 'Event types that are delivered; null for all.';
comment on column webhooks.disabled_because is
  'The merchant or an operator disabled it, it responded with 410, or it failed for five days.';

create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;

-- on Citus: distributed
create table webhook_secrets (
  merchant_id bigint not null,
  id bigint not null,
  webhook_id bigint not null,
  bytes bytea not null,
  key_id text not null,
  created_at timestamptz not null,
  signs_until timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks (merchant_id, id)
);

comment on table webhook_secrets is
  'Secrets that sign deliveries, sealed with the key that key_id names. A replaced secret signs for another day.';
comment on column webhook_secrets.signs_until is 'Null for the newest secret.';

create index webhook_secrets_of_webhook on webhook_secrets (merchant_id, webhook_id);

create unique index webhook_secrets_newest on webhook_secrets (merchant_id, webhook_id) where signs_until is null;

-- on Citus: distributed
create table webhook_deliveries (
  merchant_id bigint not null,
  id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null,
  kind text not null,
  reason text not null check (reason in ('event', 'resend', 'test')),
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempt_count integer not null,
  due_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks (merchant_id, id),
  constraint webhook_deliveries_due_while_pending check ((state = 'pending') = (due_at is not null)),
  constraint webhook_deliveries_ended_unless_pending check ((state = 'pending') = (ended_at is null))
);

comment on table webhook_deliveries is 'Deliveries of events and tests to webhooks.';
comment on column webhook_deliveries.event_id is 'The event; for a test, the id of the delivery.';
comment on column webhook_deliveries.due_at is
  'Time of the next attempt. During an attempt, the time at which it is repeated if its result is never saved.';

-- An event gets one delivery to a webhook, apart from resends.
create unique index webhook_deliveries_once on webhook_deliveries (merchant_id, webhook_id, event_id) where reason = 'event';

create index webhook_deliveries_due on webhook_deliveries (merchant_id, webhook_id, due_at, id) where due_at is not null;

-- Tests are also sent to a disabled webhook, before everything that is pending there.
create index webhook_deliveries_tests on webhook_deliveries (merchant_id, webhook_id, due_at)
  where due_at is not null and reason = 'test';

-- The predicate names the state and not the due time. Otherwise the planner could choose this index for due deliveries.
create index webhook_deliveries_pending on webhook_deliveries (created_at) where state = 'pending';

create index webhook_deliveries_newest on webhook_deliveries (merchant_id, webhook_id, created_at, id);

create index webhook_deliveries_failed on webhook_deliveries (merchant_id, webhook_id, ended_at, id) where state = 'failed';

create index webhook_deliveries_of_event on webhook_deliveries (merchant_id, event_id, webhook_id);

create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

-- on Citus: distributed
create table webhook_attempts (
  merchant_id bigint not null,
  delivery_id bigint not null,
  number integer not null,
  began_at timestamptz not null,
  duration_ms integer not null,
  status integer,
  fault text,
  answer text not null,
  next_attempt_at timestamptz,
  primary key (merchant_id, delivery_id, number)
);

comment on table webhook_attempts is 'Attempts of deliveries with their results.';
comment on column webhook_attempts.status is 'HTTP status of the response.';
comment on column webhook_attempts.fault is 'Fault of the connection or of the response.';

-- on Citus: distributed
create table webhook_health (
  merchant_id bigint not null,
  webhook_id bigint not null,
  paused_until timestamptz,
  failing_since timestamptz,
  last_failed_at timestamptz,
  primary key (merchant_id, webhook_id)
);

comment on table webhook_health is 'Failure periods and pauses of webhooks.';
comment on column webhook_health.paused_until is 'End of the pause that the webhook asked for with Retry-After.';
comment on column webhook_health.failing_since is 'Start of the period in which every attempt has failed.';
