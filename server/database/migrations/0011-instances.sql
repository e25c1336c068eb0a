-- oldest program: 1

-- Instances that run, each with the time by its own clock: together they can tell whose clock is wrong. What the clock of the
-- database says is never written.
create table instances (
  id bigint primary key,
  -- Counts up for as long as the instance runs. A row whose count stands still was left by an instance that was killed.
  beats integer not null,
  clock_at timestamptz not null
);
