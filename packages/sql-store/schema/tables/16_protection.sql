-- Changes that need the approval of other people.

-- The protections of an org; an org without a row has none.
create table protection (
  org_id text collate "C" not null references org,
  protections jsonb not null,
  primary key (org_id)
);

-- Proposals of protected changes, with the requests that make them and the decisions about them.
create table proposal (
  org_id text collate "C" not null references org,
  number int4 not null,
  request jsonb not null,
  digest text collate "C" not null,
  changes jsonb not null,
  state_digest text collate "C" not null,
  kinds jsonb not null,
  spaces jsonb not null,
  reason text not null,
  proposer jsonb not null,
  barred jsonb not null,
  made_at int8 not null,
  expires_at int8 not null,
  approvals jsonb not null,
  ended jsonb,
  primary key (org_id, number)
);
create index proposal_open on proposal (org_id, expires_at) where ended is null;

-- Openings of break-glass: roles that people have taken for a while. `notified_at` is when people were told last.
create table break_glass (
  org_id text collate "C" not null references org,
  number int4 not null,
  user_id text collate "C" not null,
  opened_by text not null,
  credential text collate "C" not null,
  means text collate "C" not null check (means in ('grant', 'emergency-key')),
  space_id text collate "C" not null,
  role text collate "C" not null check (role in ('admin', 'member', 'snapshotter', 'reader')),
  reason text not null,
  minutes int4 not null,
  opened_at int8 not null,
  ends_at int8 not null check (ends_at > opened_at),
  closed_at int8 check (closed_at between opened_at and ends_at),
  closed_by jsonb,
  reviewed jsonb,
  notified_at int8 not null,
  primary key (org_id, number)
);
-- For the opening of a person at an instant, which every entry of a person looks up.
create index break_glass_of_user on break_glass (org_id, user_id, opened_at);
create unique index break_glass_now on break_glass (org_id, user_id) where closed_at is null;
create index break_glass_to_review on break_glass (org_id, number) where reviewed is null;
