-- People as the SCIM clients of orgs describe them.

-- The folded columns are for comparing in any case; core folds them, so that one rule decides.
create table scim_user (
  org_id text collate "C" not null references org,
  scim_id text collate "C" not null,
  user_id text collate "C" not null references app_user,
  external_id text collate "C",
  user_name text collate "C" not null,
  user_folded text collate "C" not null,
  display_folded text collate "C",
  emails jsonb not null,
  active boolean not null,
  attributes jsonb not null,
  created_at int8 not null,
  updated_at int8 not null,
  primary key (org_id, scim_id)
);
create unique index scim_user_by_name on scim_user (org_id, user_folded);
create unique index scim_user_by_external_id on scim_user (org_id, external_id) where external_id is not null;
create index scim_user_described on scim_user (external_id) where external_id is not null;
create index scim_user_by_user on scim_user (org_id, user_id);
create index scim_user_by_time on scim_user (org_id, created_at, scim_id);
create index scim_user_by_email on scim_user using gin (emails jsonb_path_ops);
