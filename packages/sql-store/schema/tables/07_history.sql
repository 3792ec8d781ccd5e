-- Facts that verdicts depend on, with the time in which each held.
--
-- A number of `commit_position_sequence` is drawn after the last lock of a transaction, so numbers of transactions that depend on
-- each other are in the order of their commits.

create sequence commit_position_sequence as int8;

-- Events on trails.
create table trail_event (
  org_id text collate "C" not null,
  trail_id text collate "C" not null,
  sequence int8 not null,
  commit_position int8 not null,
  at int8 not null,
  template_id text collate "C" not null,
  status text not null,
  primary key (org_id, trail_id, sequence)
);

-- Names, tags and templates of flows.
create table flow_version (
  org_id text collate "C" not null,
  flow_id text collate "C" not null,
  commit_position int8 not null,
  at int8 not null,
  name text collate "C" not null,
  tags jsonb not null,
  template_id text collate "C" not null,
  archived_at int8,
  primary key (org_id, flow_id, commit_position)
);
create index flow_version_name on flow_version (org_id, name);

-- Settings of environments. WHY no description: it decides nothing, and it can be erased.
create table environment_version (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  commit_position int8 not null,
  at int8 not null,
  name text collate "C" not null,
  include_scaling boolean not null,
  require_provenance boolean not null,
  included jsonb,
  tags jsonb not null,
  archived_at int8,
  report_every int4,
  when_silent text,
  primary key (org_id, environment_id, commit_position)
);
create index environment_version_name on environment_version (org_id, name);

-- Evaluations of all rows of an environment, and the snapshot that was in force after each. Only evidence that was accepted
-- by its instant counts for a decay.
create table environment_evaluation (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  commit_position int8 not null,
  at int8 not null,
  index int4 not null,
  is_decay boolean not null default false,
  primary key (org_id, environment_id, commit_position)
);

-- Entries of allow-lists. `to_position` and `to_at` are null until an entry is removed or replaced; `expires_at` is the end that
-- it has from the beginning.
create table allow_list_period (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  fingerprint text collate "C" not null,
  from_position int8 not null,
  from_at int8 not null,
  to_position int8,
  to_at int8,
  name text not null,
  reason text not null,
  created_by text not null,
  expires_at int8,
  primary key (org_id, environment_id, fingerprint, from_position)
);

-- Policies that were attached to environments, and their modes.
create table policy_attachment (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  policy_id text collate "C" not null,
  from_position int8 not null,
  from_at int8 not null,
  to_position int8,
  to_at int8,
  mode text not null,
  primary key (org_id, environment_id, policy_id, from_position)
);

-- A counter of each org that changes of flows increment, evidence about fingerprints that run in very many environments, and
-- changes of policies that are attached to very many. A change holds the row until it commits, so that a value that is visible has everything below it visible too.
create table flow_change_counter (
  org_id text collate "C" primary key references org,
  number int8 not null
);

-- The last change of each part of a flow that policies look at.
create table flow_change (
  org_id text collate "C" not null,
  flow_id text collate "C" not null,
  part text collate "C" not null,
  number int8 not null,
  primary key (org_id, flow_id, part),
  foreign key (org_id, flow_id) references flow
);
create index flow_change_by_number on flow_change (org_id, number);

-- The last evidence about each fingerprint that ran in more than 256 environments when it came.
create table fingerprint_change (
  org_id text collate "C" not null references org,
  fingerprint text collate "C" not null,
  number int8 not null,
  primary key (org_id, fingerprint)
);
create index fingerprint_change_by_number on fingerprint_change (org_id, number);

-- The last change, a new version or a waiver, of each policy that was attached to more than 256 environments when it came. The
-- row is removed when each of them was evaluated; `since` is the first change after which that was not so.
create table policy_change (
  org_id text collate "C" not null,
  policy_id text collate "C" not null,
  number int8 not null,
  since int8 not null,
  primary key (org_id, policy_id),
  foreign key (org_id, policy_id) references policy
);

-- Active environments that have not seen the last change of one of their policies. WHY `offset 0`: a list of them stops at its
-- end, and does not look at every environment of a policy first.
create view environment_behind with (security_invoker = true) as
  select e.org_id, e.environment_id, e.type from environment e
  where e.archived_at is null and exists (select from policy_change c
    where c.org_id = e.org_id and c.number > e.flow_changes_seen
      and e.policies @> jsonb_build_array(c.policy_id) offset 0);
