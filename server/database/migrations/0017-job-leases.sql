-- oldest program: 16

-- on Citus: local
create table job_leases (
  name text primary key,
  ends_at timestamptz not null
);

comment on table job_leases is
  'Until when no other instance begins a run of a background job, or a search for due work.';
