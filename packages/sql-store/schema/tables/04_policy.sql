-- Policies and controls, with their versions.

-- Policies with their newest text. `reads` names what the text looks at besides evidence.
create table policy (
  org_id text collate "C" not null references org,
  policy_id text collate "C" not null,
  name text collate "C" not null,
  description text not null,
  version int4 not null,
  policy_yaml text not null,
  reads jsonb not null,
  created_by text not null,
  created_at int8 not null,
  last_modified_at int8 not null,
  primary key (org_id, policy_id),
  unique (org_id, name)
);

-- Every version of a policy. Versions never change.
create table policy_version (
  org_id text collate "C" not null,
  policy_id text collate "C" not null,
  version int4 not null,
  comment text not null,
  policy_yaml text not null,
  dump json not null,
  created_by text not null,
  timestamp int8 not null,
  primary key (org_id, policy_id, version),
  foreign key (org_id, policy_id) references policy
);

-- Every version of the trust policy of an org. Versions never change, and the newest applies.
create table trust_policy_version (
  org_id text collate "C" not null references org,
  version int4 not null,
  text text not null,
  comment text not null,
  created_by text not null,
  at int8 not null,
  primary key (org_id, version)
);

-- Controls.
create table control (
  org_id text collate "C" not null references org,
  identifier text collate "C" not null,
  name text collate "C" not null,
  description text,
  links jsonb not null,
  tags jsonb not null,
  version int4 not null,
  archived boolean not null,
  created_by text not null,
  created_at int8 not null,
  primary key (org_id, identifier)
);
create index control_by_name on control (org_id, archived, name, identifier);

-- Every version of a control.
create table control_version (
  org_id text collate "C" not null,
  identifier text collate "C" not null,
  version int4 not null,
  kind text not null check (kind in ('Created', 'Edited', 'Archived', 'Unarchived')),
  name text not null,
  description text,
  links jsonb not null,
  created_by text not null,
  created_at int8 not null,
  primary key (org_id, identifier, version),
  foreign key (org_id, identifier) references control
);
