-- Teams, and who was in them when.

-- Teams. One that was deleted stays, for questions about the past; its name is free again.
create table team (
  org_id text collate "C" not null references org,
  team_id text collate "C" not null,
  name text collate "C" not null,
  kind text not null check (kind in ('hand', 'scim', 'claim')),
  description text not null,
  group_name text collate "C",
  external_id text collate "C",
  created_at int8 not null,
  deleted_at int8,
  primary key (org_id, team_id)
);
create unique index team_by_name on team (org_id, name) where deleted_at is null;

alter table environment_notification add foreign key (org_id, team_id) references team;

-- The times in which people are in teams. Ended once, and never removed.
create table team_member (
  org_id text collate "C" not null,
  team_id text collate "C" not null,
  user_id text collate "C" not null references app_user,
  source text not null check (source in ('hand', 'scim', 'claim')),
  from_at int8 not null,
  to_at int8 check (to_at > from_at),
  primary key (org_id, team_id, user_id, from_at),
  foreign key (org_id, team_id) references team
);
create unique index team_member_now on team_member (org_id, team_id, user_id) where to_at is null;
create index team_member_of_user on team_member (org_id, user_id, team_id) where to_at is null;
create index team_member_past on team_member (org_id, user_id, to_at) where to_at is not null;
