-- Environments, their names and their allow-lists.

-- Environments. `flow_changes_seen` is the value of `flow_change_counter` at the last evaluation; the digests are those of the last
-- report, and null when the next report must be evaluated even if it is the same. `due_at` is the next instant at which time
-- alone may change a verdict, and `silence_due_at` the next look for silence.
create table environment (
  org_id text collate "C" not null references org,
  environment_id text collate "C" not null,
  name text collate "C" not null,
  type text not null,
  description text not null,
  include_scaling boolean not null,
  included jsonb,
  policies jsonb not null,
  require_provenance boolean not null,
  tags jsonb not null,
  created_at int8 not null,
  last_modified_at int8 not null,
  last_reported_at int8,
  last_changed_at int8,
  verdict text,
  archived_at int8,
  body_digest text collate "C",
  rows_digest text collate "C",
  is_pending boolean not null default false,
  flow_changes_seen int8 not null default 0,
  type_alias text,
  policy_modes jsonb not null default '{}',
  due_at int8,
  report_every int4,
  when_silent text,
  silent_since int8,
  silence_due_at int8,
  primary key (org_id, environment_id)
) with (fillfactor = 80);
create unique index environment_by_name on environment (org_id, name) where archived_at is null;
-- The list by the last change, in both directions: the other one sorts environments of one instant by name.
create index environment_by_change on environment (org_id, coalesce(last_changed_at, 0) desc, name) where archived_at is null;
create index environment_logical on environment (org_id) where type = 'logical';
create index environment_by_policy on environment using gin (policies jsonb_path_ops) where policies <> '[]';
create index environment_pending on environment (org_id) where is_pending;
create index environment_due on environment (due_at) where due_at is not null and archived_at is null;
create index environment_silence_due on environment (silence_due_at) where silence_due_at is not null and archived_at is null;
create index environment_archived on environment (org_id, environment_id) where archived_at is not null;

-- Names that environments had. A former name leads to its environment until another takes the name.
create table environment_former_name (
  org_id text collate "C" not null,
  name text collate "C" not null,
  environment_id text collate "C" not null,
  primary key (org_id, name),
  foreign key (org_id, environment_id) references environment
);

-- Times in which an environment with a cadence did not report. `to_at` is null while it lasts.
create table silence (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  from_at int8 not null,
  to_at int8,
  primary key (org_id, environment_id, from_at),
  foreign key (org_id, environment_id) references environment
);

-- Artifacts that may run in an environment regardless of its policies, until `expires_at` if it is set. `owner` is null for the
-- creator.
create table allow_list (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  fingerprint text collate "C" not null,
  name text not null,
  reason text not null,
  created_by text not null,
  created_at int8 not null,
  expires_at int8,
  owner text,
  primary key (org_id, environment_id, fingerprint),
  foreign key (org_id, environment_id) references environment
);
