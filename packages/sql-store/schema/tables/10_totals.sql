-- Totals of long lists, so that a page needs no count.

-- A total is the sum of its parts: a writer adds to a part that no other transaction holds, or makes a new one, so writers
-- never wait for each other.
create table list_total (
  org_id text collate "C" not null references org,
  list text collate "C" not null,
  subject text collate "C" not null,
  part int8 not null generated always as identity,
  rows int8 not null,
  primary key (org_id, list, subject, part)
) with (fillfactor = 50);

-- Up to which number attestations are in the totals.
create table attestation_fold (
  org_id text collate "C" primary key references org,
  upto int8 not null
);

-- Flows whose `active_minute` may be too low or too high, because another transaction held the flow or the clock went back.
-- They are candidates of every page of flows by activity until a later minute is written.
create table flow_unsettled (
  org_id text collate "C" not null references org,
  flow_id text collate "C" not null,
  part int8 not null generated always as identity,
  minute int8 not null,
  primary key (org_id, flow_id, part)
);
