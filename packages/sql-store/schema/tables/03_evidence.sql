-- Flows, trails, artifacts, attestations and their files. A request body is kept as one JSON value beside the columns that
-- are searched.

-- Flows. `active_minute` is the minute of the newest evaluation of its trails; `flow_unsettled` has the exceptions.
create table flow (
  org_id text collate "C" not null references org,
  flow_id text collate "C" not null,
  name text collate "C" not null,
  description text not null,
  visibility text not null check (visibility in ('public', 'private')),
  template text not null,
  template_id text collate "C" not null,
  tags jsonb not null,
  archived_at int8,
  created_at int8 not null,
  last_modified_at int8 not null,
  active_minute int8 not null default -1,
  primary key (org_id, flow_id),
  unique (org_id, name)
);
-- Only the lookup that names the collation uses this index.
create index flow_by_activity on flow (org_id collate "POSIX", active_minute, name) where archived_at is null;

-- Names that flows had. A former name leads to its flow until another flow takes the name.
create table flow_former_name (
  org_id text collate "C" not null,
  name text collate "C" not null,
  flow_id text collate "C" not null,
  primary key (org_id, name),
  foreign key (org_id, flow_id) references flow
);

-- Texts of templates, each stored once.
create table template_version (
  org_id text collate "C" not null references org,
  template_id text collate "C" not null,
  content text not null,
  created_at int8 not null,
  primary key (org_id, template_id)
);

-- Trails. `ordinal` numbers trails in the order of their creation.
create table trail (
  org_id text collate "C" not null,
  trail_id text collate "C" not null,
  flow_id text collate "C" not null,
  name text collate "C" not null,
  details jsonb not null,
  template text,
  template_id text collate "C",
  repo_ids text[] not null,
  ordinal int8 not null generated always as identity,
  created_by text not null,
  created_at int8 not null,
  last_modified_at int8 not null,
  primary key (org_id, trail_id),
  foreign key (org_id, flow_id) references flow
);
create index trail_by_age on trail (org_id, ordinal);
create index trail_by_flow on trail (org_id, flow_id, ordinal);
create unique index trail_by_name on trail (org_id, name, flow_id);

-- Trails by the commits that they report.
create table trail_commit (
  org_id text collate "C" not null,
  sha text collate "C" not null,
  ordinal int8 not null,
  trail_id text collate "C" not null,
  branch text not null,
  primary key (org_id, sha, ordinal),
  foreign key (org_id, trail_id) references trail
);
-- WHY beside the key, which begins alike: equal entries share one key here, and counting reads a tenth.
create index trail_commit_count on trail_commit (org_id, sha);

-- Reports of artifacts: one for each fingerprint, trail and template slot.
create table artifact (
  org_id text collate "C" not null,
  artifact_id text collate "C" not null,
  flow_id text collate "C" not null,
  trail_id text collate "C" not null,
  sequence int8 not null,
  slot text collate "C" not null,
  fingerprint text collate "C" not null,
  git_commit text collate "C",
  report jsonb not null,
  repo_id text collate "C",
  created_by text not null,
  created_at int8 not null,
  primary key (org_id, artifact_id),
  foreign key (org_id, trail_id) references trail
);
create index artifact_by_commit on artifact (org_id, git_commit, sequence);
create index artifact_by_flow on artifact (org_id, flow_id, sequence);
create index artifact_by_org on artifact (org_id, sequence);
-- WHY last: while a table has no statistics, indexes of about one width seem to cost the same, and PostgreSQL takes the
-- youngest. A cached plan must not read all artifacts of the org.
create index artifact_by_trail on artifact (org_id, trail_id, sequence);
-- INVARIANT: hexadecimal text sorts by code unit, so a prefix is the range up to its next letter `g`.
create index artifact_by_fingerprint on artifact (org_id, fingerprint, flow_id, sequence);
-- Only the lookup that names the collation uses this index.
create index artifact_by_repo
  on artifact (org_id, repo_id collate "POSIX", fingerprint)
  where repo_id is not null;

-- Artifacts by the author of their commit and by their builder, for exposures.
--
-- WHY digests: an entry of an index has at most some 2,700 bytes, and no name is left here after an erasure.
create table artifact_trait (
  org_id text collate "C" not null,
  kind text collate "C" not null,
  digest bytea not null,
  fingerprint text collate "C" not null,
  primary key (org_id, kind, digest, fingerprint)
);
create index artifact_trait_by_content on artifact_trait (org_id, fingerprint);

-- The first report of each fingerprint, in the order in which builds are listed.
create table build (
  org_id text collate "C" not null,
  fingerprint text collate "C" not null,
  artifact_id text collate "C" not null,
  flow_id text collate "C" not null,
  repo_id text collate "C",
  created_at int8 not null,
  primary key (org_id, fingerprint)
);
create index build_by_time on build (org_id, created_at desc, fingerprint);
create index build_by_flow on build (org_id, flow_id, created_at desc, fingerprint);
create index build_by_repo on build (org_id, repo_id, created_at desc, fingerprint) where repo_id is not null;

-- Repositories that reports named. Where the provider gives no id, provider and name are the identity.
create table repo (
  org_id text collate "C" not null references org,
  internal_id text collate "C" not null,
  repo_id text collate "C",
  name text collate "C" not null,
  url text not null,
  provider text collate "C" not null,
  description text,
  namespace_path jsonb,
  additional_info jsonb,
  tags jsonb not null,
  latest_activity_at int8 not null,
  created_at int8 not null,
  last_modified_at int8 not null,
  vcs_instance text collate "C"
    generated always as (lower(substring(url from
      '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?([^/?#@]{1,255})(?=[/?#]|$)') collate "C")) stored,
  provider_alias text,
  primary key (org_id, internal_id),
  unique (org_id, provider, repo_id)
);
create index repo_by_name on repo (org_id, name, internal_id);
create index repo_by_host on repo (org_id, vcs_instance, name, internal_id) where vcs_instance is not null;
-- WHY cut: an entry of an index has at most some 2,700 bytes, and a segment may be longer.
create index repo_by_namespace
  on repo (org_id, "left"((namespace_path ->> 0), 128) collate "C", name, internal_id)
  where namespace_path is not null;
create index repo_by_repo_id on repo (org_id, repo_id);
create unique index repo_unnumbered on repo (org_id, provider, name) where repo_id is null;

-- The flows that name a repository, for callers who read some flows alone.
create table repo_flow (
  org_id text collate "C" not null,
  repo_id text collate "C" not null,
  flow_id text collate "C" not null,
  primary key (org_id, flow_id, repo_id)
);

-- Custom attestation types. WHY json: schemas are shown with their keys in the given order.
create table attestation_type (
  org_id text collate "C" not null references org,
  name text collate "C" not null,
  description text,
  archived boolean not null,
  versions json not null,
  created_by text not null,
  created_at int8 not null,
  last_modified_at int8 not null,
  primary key (org_id, name)
);

-- Attestations.
create table attestation (
  org_id text collate "C" not null,
  attestation_id text collate "C" not null,
  flow_id text collate "C" not null,
  trail_id text collate "C" not null,
  sequence int8 not null,
  name text collate "C" not null,
  type text collate "C" not null,
  is_compliant boolean not null,
  is_override boolean not null,
  fingerprint text collate "C",
  slots text[] not null,
  git_commit text collate "C",
  digest text collate "C" not null,
  body jsonb not null,
  -- What policies ask about, computed from the body; null for an attestation without facts.
  policy_facts jsonb,
  attachments jsonb not null,
  created_by text not null,
  created_at int8 not null,
  primary key (org_id, attestation_id),
  foreign key (org_id, trail_id) references trail
);
create index attestation_by_org on attestation (org_id, sequence);
-- WHY last: as with `artifact_by_trail`.
create index attestation_by_trail on attestation (org_id, trail_id, sequence);
create index attestation_by_control
  on attestation (org_id, ((body ->> 'control')), sequence)
  where type = 'decision';
-- Only the lookup that names the collation uses this index.
create index attestation_by_content
  on attestation (org_id, fingerprint collate "POSIX", sequence)
  where fingerprint is not null;

-- Files of attestations, each stored once.
create table attachment (
  org_id text collate "C" not null references org,
  fingerprint text collate "C" not null,
  primary key (org_id, fingerprint)
);

-- The bytes of files, in pieces.
create table attachment_chunk (
  org_id text collate "C" not null,
  fingerprint text collate "C" not null,
  index int4 not null,
  content bytea not null,
  primary key (org_id, fingerprint, index),
  foreign key (org_id, fingerprint) references attachment
);
-- WHY: files are mostly compressed already, and pieces are always read whole.
alter table attachment_chunk alter column content set storage external;

-- The compliance of each trail. WHY json: the order of slots and entries is part of the answer.
create table trail_evaluation (
  org_id text collate "C" not null,
  trail_id text collate "C" not null,
  flow_id text collate "C" not null,
  template_id text collate "C" not null,
  evaluated_at int8 not null,
  status text collate "C" not null,
  trail_status json not null,
  record_statuses json not null,
  primary key (org_id, trail_id),
  foreign key (org_id, trail_id) references trail
) with (fillfactor = 80);
create index trail_evaluation_by_flow on trail_evaluation (org_id, flow_id, evaluated_at);

-- Approvals, numbered in each flow.
create table approval (
  org_id text collate "C" not null,
  flow_id text collate "C" not null,
  approval_id text collate "C" not null,
  number int4 not null,
  state text collate "C" not null,
  request jsonb not null,
  created_by text not null,
  created_at int8 not null,
  primary key (org_id, flow_id, number),
  foreign key (org_id, flow_id) references flow
);

-- The accounts of forges that an org names as those of agents; an org without a row has none.
create table agent_accounts (
  org_id text collate "C" not null references org,
  accounts jsonb not null,
  primary key (org_id)
);
