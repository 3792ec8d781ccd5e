-- Waivers, the settings of orgs for them, and the rows that they have waived.

-- Waivers with their terms, the settings that bind them, and the decisions about them.
create table waiver (
  org_id text collate "C" not null references org,
  number int4 not null,
  policy_name text collate "C" not null,
  rule jsonb,
  environment_id text collate "C",
  condition text,
  reason text not null,
  owner text collate "C" not null,
  owner_id text collate "C" not null,
  ticket_url text,
  starts_at int8 not null,
  expires_at int8 not null check (starts_at < expires_at),
  extends int4,
  approvals_required int4 not null,
  approver_role text not null check (approver_role in ('admin', 'member')),
  self_approval boolean not null,
  requested_by text not null,
  requester_id text collate "C" not null,
  requested_at int8 not null,
  approvals jsonb not null,
  rejected jsonb,
  revoked jsonb,
  activated_at int8,
  settled text check (settled in ('expired', 'lapsed')),
  primary key (org_id, number),
  foreign key (org_id, environment_id) references environment,
  foreign key (org_id, extends) references waiver
);
create index waiver_approved on waiver (org_id, expires_at) where activated_at is not null;
create index waiver_unsettled on waiver (org_id, number)
  where settled is null and rejected is null and revoked is null;

-- The settings of an org for waivers; an org without a row has the defaults.
create table waiver_settings (
  org_id text collate "C" not null references org,
  max_days int4 not null,
  approvals_required int4 not null,
  approver_role text not null check (approver_role in ('admin', 'member')),
  self_approval boolean not null,
  primary key (org_id)
);

-- The times in which a waiver waived the same number of rows of an environment; `to_at` is null while it lasts.
create table waiver_use (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  number int4 not null,
  from_at int8 not null,
  to_at int8,
  rows int4 not null check (rows > 0),
  primary key (org_id, environment_id, number, from_at),
  foreign key (org_id, number) references waiver,
  foreign key (org_id, environment_id) references environment
);
create unique index waiver_use_open on waiver_use (org_id, environment_id, number) where to_at is null;
create index waiver_use_ended on waiver_use (org_id, to_at);
