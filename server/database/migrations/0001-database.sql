-- oldest program: 1

-- on Citus: local
create table id_blocks (
  only_row boolean primary key default true check (only_row),
  next_id bigint not null
);

comment on table id_blocks is
  'The next id that is not reserved. Each instance reserves ids in blocks and assigns them itself, so the schema needs no sequence.';

-- Ids have fourteen digits.
insert into id_blocks (next_id) values (10000000000001);
