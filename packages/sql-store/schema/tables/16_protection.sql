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
