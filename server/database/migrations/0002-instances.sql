-- oldest program: 1

-- on Citus: local
create table instances (
  id bigint primary key,
  beats integer not null,
  clock_at timestamptz not null
);

comment on table instances is
  'Running instances, each with the time of its own clock. Together they show whose clock is wrong.';
comment on column instances.beats is
  'Grows while the instance runs. A row whose count does not grow belongs to an instance that was killed.';
comment on column instances.clock_at is 'Time by the clock of the instance, never by the clock of the database.';
