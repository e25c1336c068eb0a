-- oldest program: 1

-- The place of an event in the list that its merchant reads: given when everybody can see it, in that order, without gaps.
-- So whoever reads on behind the last event that they know misses none.
alter table events add column position bigint;

update events set position = placed.position
from (
  select merchant_id, id, row_number() over (partition by merchant_id order by seen_at, payment_id, number) as position
  from (
    -- Clocks of copies differ: an event is no earlier than those of its payment before it.
    select merchant_id, id, payment_id, number,
      max(created_at) over (partition by merchant_id, payment_id order by number) as seen_at
    from events
  ) seen
) placed
where events.merchant_id = placed.merchant_id and events.id = placed.id;

create unique index events_in_order on events (merchant_id, position);

create index events_without_place on events (merchant_id, created_at) where position is null;

-- The last place that was given. Whoever gives places holds the row, so that they are given one after the other.
create table event_lists (
  merchant_id bigint primary key,
  last_position bigint not null
);

insert into event_lists (merchant_id, last_position) select merchant_id, max(position) from events group by merchant_id;

-- Where a merchant wants to hear of events.
create table webhooks (
  merchant_id bigint not null,
  id bigint not null,
  url text not null,
  -- The kinds of events; null for all of them.
  events jsonb,
  description text,
  status text not null check (status in ('enabled', 'disabled')),
  -- By whom or why it was disabled: the merchant, an operator, an answer of 410, or five days of failures.
  disabled_because text check (disabled_because in ('merchant', 'operator', 'gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id)
);

create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;

-- What deliveries are signed with: the newest, and those that it replaced, for a day.
create table webhook_secrets (
  merchant_id bigint not null,
  id bigint not null,
  webhook_id bigint not null,
  sealed bytea not null,
  sealed_key text not null,
  created_at timestamptz not null,
  -- Null for the newest.
  signs_until timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks (merchant_id, id)
);

create index webhook_secrets_of_webhook on webhook_secrets (merchant_id, webhook_id);

create unique index webhook_secrets_newest on webhook_secrets (merchant_id, webhook_id) where signs_until is null;

-- An event, or a test, on its way to a webhook.
create table webhook_deliveries (
  merchant_id bigint not null,
  id bigint not null,
  webhook_id bigint not null,
  -- Of a test, its own id.
  event_id bigint not null,
  kind text not null,
  reason text not null check (reason in ('event', 'resend', 'test')),
  state text not null check (state in ('pending', 'delivered', 'failed')),
  tries integer not null,
  -- When it is tried next; while it is tried, when it is tried again if nothing more is heard of that. Null when it has come
  -- to its end.
  due_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'pending') = (due_at is not null)),
  check ((state = 'pending') = (ended_at is null)),
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks (merchant_id, id)
);

-- An event goes to a webhook once by itself, however often it is looked at.
create unique index webhook_deliveries_once on webhook_deliveries (merchant_id, webhook_id, event_id) where reason = 'event';

create index webhook_deliveries_due on webhook_deliveries (merchant_id, webhook_id, due_at, id) where due_at is not null;

-- A test goes to a disabled webhook too, past all that waits there.
create index webhook_deliveries_tests on webhook_deliveries (merchant_id, webhook_id, due_at)
  where due_at is not null and reason = 'test';

-- By the state, so that nobody who looks for what is due takes it for the index of that: the two say the same, but a database
-- whose counts are of a time when nothing waited finds one as good as the other.
create index webhook_deliveries_waiting on webhook_deliveries (created_at) where state = 'pending';

create index webhook_deliveries_newest on webhook_deliveries (merchant_id, webhook_id, created_at, id);

create index webhook_deliveries_failed on webhook_deliveries (merchant_id, webhook_id, ended_at, id) where state = 'failed';

create index webhook_deliveries_of_event on webhook_deliveries (merchant_id, event_id, webhook_id);

create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

-- What came of each try.
create table webhook_tries (
  merchant_id bigint not null,
  delivery_id bigint not null,
  number integer not null,
  began_at timestamptz not null,
  duration_ms integer not null,
  -- What was answered, and what went wrong with that or with getting there.
  status integer,
  fault text,
  answer text not null,
  next_try_at timestamptz,
  primary key (merchant_id, delivery_id, number)
);

-- How it goes with a webhook.
create table webhook_health (
  merchant_id bigint not null,
  webhook_id bigint not null,
  -- It asked to be left alone until then.
  quiet_until timestamptz,
  -- Since when every try has failed, and when the last one did.
  failing_since timestamptz,
  last_failed_at timestamptz,
  primary key (merchant_id, webhook_id)
);
