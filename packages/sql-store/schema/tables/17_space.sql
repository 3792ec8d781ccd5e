-- The tree of spaces, what is in them, and the roles that are granted there.

-- The states of spaces. A state is ended once, and never removed. The root is not stored: its id is that of the org.
create table space (
  org_id text collate "C" not null references org,
  space_id text collate "C" not null,
  parent_id text collate "C" not null,
  name text collate "C" not null,
  description text not null,
  from_at int8 not null,
  to_at int8 check (to_at > from_at),
  primary key (org_id, space_id, from_at)
);
create unique index space_now on space (org_id, space_id) where to_at is null;
create unique index space_by_name on space (org_id, parent_id, name) where to_at is null;

-- The times in which things are in spaces. A thing without a time that lasts is in the root.
create table thing_place (
  org_id text collate "C" not null references org,
  kind text collate "C" not null check (kind in ('flow', 'environment', 'policy', 'control', 'service-account')),
  thing_id text collate "C" not null,
  space_id text collate "C" not null,
  from_at int8 not null,
  to_at int8 check (to_at > from_at),
  primary key (org_id, thing_id, kind, from_at)
);
create unique index thing_place_now on thing_place (org_id, thing_id, kind) where to_at is null;
-- WHY it begins with the space and is last: no lookup by a thing takes it, and no lookup by spaces takes the ones above.
create index thing_place_by_space on thing_place (space_id, org_id, kind) where to_at is null;

-- The placement rules of an org, in their order; an org without a row has none.
create table placement_rule (
  org_id text collate "C" not null references org,
  rules jsonb not null,
  primary key (org_id)
);

-- Roles in spaces. A grant is ended once, and never removed.
create table access_grant (
  org_id text collate "C" not null references org,
  number int4 not null,
  subject_kind text collate "C" not null check (subject_kind in ('user', 'team', 'service-account', 'everyone')),
  subject_id text collate "C" not null,
  space_id text collate "C" not null,
  role text collate "C" not null check (role in ('admin', 'member', 'snapshotter', 'reader')),
  eligible boolean not null,
  expires_at int8,
  reason text not null,
  given_by text collate "C" not null,
  from_at int8 not null,
  to_at int8 check (to_at > from_at),
  primary key (org_id, number)
);
-- For the grants of a subject at a past instant.
create index access_grant_of_subject on access_grant (org_id, subject_id, subject_kind, to_at);
create unique index access_grant_now on access_grant (org_id, subject_id, subject_kind, space_id, eligible)
  where to_at is null;
-- WHY it begins with the space: no lookup by a subject takes it.
create index access_grant_in_space on access_grant (space_id, org_id) where to_at is null;
