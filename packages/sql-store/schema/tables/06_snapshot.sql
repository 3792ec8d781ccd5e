-- Snapshots of environments, and what is derived from them.
--
-- A row of a snapshot is an interval over snapshot indexes, so that a row that continues costs nothing. Intervals are cut at
-- the borders of buckets, so that reading one snapshot touches few rows however long the history is.

create sequence snapshot_row_sequence as int8;

-- Snapshots. `events_total` is the number of events of the environment up to this snapshot; any page of events is found by
-- it. `members` are the snapshots of the members of a logical environment.
create table snapshot (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  index int4 not null,
  timestamp int8 not null,
  verdict text not null,
  count_true int4 not null,
  count_false int4 not null,
  count_null int4 not null,
  bucket int4 not null,
  changes int4 not null,
  events_total int8 not null,
  members jsonb,
  policies_digest bytea,
  commit_position int8 not null,
  semantics int4 not null,
  is_decay boolean not null default false,
  reasons jsonb,
  unique (org_id, environment_id, "timestamp"),
  foreign key (org_id, environment_id) references environment
);
create index snapshot_by_time on snapshot (org_id, "timestamp");
alter table snapshot add primary key (org_id, environment_id, index);
-- The collation has the same order and another name: only the lookup that names it uses this index.
create index snapshot_by_event on snapshot (org_id, environment_id collate "POSIX", events_total, index);
-- Since when an environment has its verdict. The collation is for the same reason.
create index snapshot_by_verdict on snapshot (org_id, environment_id collate "POSIX", verdict, index);

-- Rows of a snapshot of very many, sent before it in parts; the transaction that appends it removes them. WHY unlogged: nothing
-- is left of them when it ends.
create unlogged table snapshot_part (
  org_id text collate "C" not null references org,
  environment_id text collate "C" not null,
  part int4 not null,
  rows jsonb not null,
  primary key (org_id, environment_id, part)
);

-- Policy lists of snapshots, each stored once.
create table snapshot_policies (
  org_id text collate "C" not null,
  digest bytea not null,
  policies jsonb not null,
  primary key (org_id, digest)
);

-- Artifacts that run, from `first_index` to `last_index`, or to the end of the bucket.
create table snapshot_row (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  bucket int4 not null,
  row_no int8 not null default nextval('snapshot_row_sequence'),
  first_index int4 not null,
  last_index int4 not null,
  started_index int4 not null,
  name text collate "C" not null,
  fingerprint text collate "C" not null,
  verdict text not null,
  flows_digest bytea,
  decisions_digest bytea,
  doc text not null,
  primary key (org_id, environment_id, bucket, row_no)
) with (fillfactor = 90);

-- Flow views of rows, each stored once.
create table snapshot_flows (
  org_id text collate "C" not null,
  digest bytea not null,
  flows jsonb not null,
  primary key (org_id, digest)
);

-- Decisions of policies on rows, each stored once.
create table snapshot_decisions (
  org_id text collate "C" not null,
  digest bytea not null,
  decisions jsonb not null,
  primary key (org_id, digest)
);

-- Changes between a snapshot and the one before. `member_id` names the member of a logical environment.
create table snapshot_event (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  index int4 not null,
  position int4 not null,
  bucket int4 not null,
  row_no int8 not null,
  type text not null,
  was int4 not null,
  now int4 not null,
  arrived boolean not null,
  member_id text collate "C",
  primary key (org_id, environment_id, index, "position")
);

-- The artifacts that started for a template slot of a flow; deployment diffs compare with them.
create table snapshot_start (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  flow_id text collate "C" not null,
  slot text collate "C" not null,
  index int4 not null,
  name text collate "C" not null,
  fingerprint text collate "C" not null,
  view jsonb not null,
  primary key (org_id, environment_id, flow_id, slot, index, name, fingerprint)
);

-- Each time in which an artifact ran in an environment under one name.
--
-- `non_compliant` is in microseconds: the beginning of each non-compliant time is subtracted and its end added. While the
-- verdict is NonCompliant and the artifact runs, the time is `non_compliant` + now; otherwise it is `non_compliant`.
create table exposure (
  org_id text collate "C" not null,
  fingerprint text collate "C" not null,
  environment_id text collate "C" not null,
  first_index int4 not null,
  last_index int4,
  from_at int8 not null,
  to_at int8,
  started_verdict text not null,
  verdict text not null,
  non_compliant int8 not null,
  name text collate "C" not null,
  primary key (org_id, fingerprint, environment_id, first_index, name)
) with (fillfactor = 90);
create index exposure_running on exposure (org_id, fingerprint, environment_id) where last_index is null;

-- Deployments, in the order in which they are listed. `total` counts the deployments of the environment up to the end of
-- this snapshot.
create table deployment (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  index int4 not null,
  position int4 not null,
  timestamp int8 not null,
  fingerprint text collate "C" not null,
  total int8 not null
);
create index deployment_by_time on deployment (org_id, "timestamp" desc, environment_id, "position");
create index deployment_by_fingerprint
  on deployment (org_id, fingerprint, "timestamp" desc, environment_id, "position");
create unique index deployment_by_environment
  on deployment (org_id, environment_id, "timestamp" desc, "position");

-- Deployments by the flows that know the artifact. `total` counts those of the flow in the environment.
create table deployment_flow (
  org_id text collate "C" not null,
  flow_id text collate "C" not null,
  environment_id text collate "C" not null,
  index int4 not null,
  position int4 not null,
  timestamp int8 not null,
  total int8 not null
);
create unique index deployment_flow_by_time
  on deployment_flow (org_id, flow_id, "timestamp" desc, environment_id, "position");
create index deployment_flow_by_environment
  on deployment_flow (org_id, flow_id, environment_id, "timestamp" desc, "position");

-- Deployments by the repository that the report in the primary flow `flow_id` names.
create table deployment_repo (
  org_id text collate "C" not null,
  repo_id text collate "C" not null,
  flow_id text collate "C" not null,
  environment_id text collate "C" not null,
  index int4 not null,
  position int4 not null,
  timestamp int8 not null,
  first_reported_at int8 not null,
  total int8 not null
);
create index deployment_repo_by_time
  on deployment_repo (org_id, repo_id, "timestamp" desc, environment_id, "position");
create unique index deployment_repo_by_environment
  on deployment_repo (org_id, repo_id, environment_id, "timestamp" desc, "position");

-- What runs now.
create view running_fingerprint with (security_invoker = true) as
  select x.org_id, x.fingerprint, x.environment_id, 1 as rows from exposure x where x.last_index is null;

-- The snapshots in which an artifact ran in an environment, under any name: exposures that overlap or follow each other
-- are one run.
create view fingerprint_run with (security_invoker = true) as
  with joined as (
    select x.*, max(coalesce(x.last_index, 2147483647)) over (
        partition by x.org_id, x.fingerprint, x.environment_id order by x.first_index, x.name
        rows between unbounded preceding and 1 preceding) as before
      from exposure x),
  numbered as (
    select j.*, count(*) filter (where j.before is null or j.first_index - 1 > j.before) over (
        partition by j.org_id, j.fingerprint, j.environment_id order by j.first_index, j.name) as run
      from joined j)
  select n.org_id, n.fingerprint, n.environment_id, min(n.first_index) as started_index,
      case when bool_and(n.last_index is not null) then max(n.last_index) + 1 end as exited_index
    from numbered n group by n.org_id, n.fingerprint, n.environment_id, n.run;
