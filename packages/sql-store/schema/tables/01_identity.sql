-- Orgs, people, service accounts, credentials and sessions.
--
-- Orgs, users, keys and sessions are global: a request is authenticated before its org is known. The application has no
-- grant on them and reaches them through functions, each of which answers one question.

-- Orgs.
create table org (
  org_id text collate "C" primary key,
  name text collate "C" not null unique,
  created_at int8 not null
);

-- People. One with a home belongs to that org alone, since its SCIM client made the person.
create table app_user (
  user_id text collate "C" primary key,
  login text collate "C" not null unique,
  display_name text,
  email text,
  created_at int8 not null,
  default_org_id text collate "C" references org,
  home_org_id text collate "C" references org
);
-- WHY collated: only the case of ASCII letters is folded, so that look-alikes stay apart.
create index app_user_by_address on app_user (lower(email collate "C")) where email is not null;

-- The role of each person in an org. A suspended membership keeps its role and gives nothing. Browser sessions that were
-- opened until `sessions_after` give nothing in the org.
create table membership (
  org_id text collate "C" not null references org,
  user_id text collate "C" not null references app_user,
  role text not null check (role in ('admin', 'member', 'snapshotter', 'reader', 'none')),
  created_at int8 not null,
  suspended_at int8,
  sessions_after int8,
  primary key (org_id, user_id)
);
create index membership_by_user on membership (user_id);

-- Every change of a membership.
--
-- The folded names are for searching without regard to case; core folds them, so that one rule decides.
create table membership_event (
  org_id text collate "C" not null references org,
  event_id text collate "C" not null,
  user_id text collate "C" not null,
  user_name text collate "C" not null,
  changed_by text collate "C" not null,
  role text collate "C",
  previous_role text collate "C",
  suspended boolean not null,
  source text collate "C" not null,
  created_at int8 not null,
  user_folded text collate "C" not null,
  changed_by_folded text collate "C" not null,
  primary key (org_id, event_id)
);
create index membership_event_by_time on membership_event (org_id, created_at, event_id);

-- Invitations to an org. `digest` is what is kept of the secret.
create table invitation (
  org_id text collate "C" not null references org,
  invitation_id text collate "C" not null,
  role text not null check (role in ('admin', 'member', 'snapshotter', 'reader', 'none')),
  login text collate "C",
  display_name text,
  email text,
  digest text collate "C" not null,
  created_by text not null,
  created_at int8 not null,
  expires_at int8 not null,
  accepted_by text,
  accepted_at int8,
  revoked_by text,
  revoked_at int8,
  primary key (org_id, invitation_id),
  check ((accepted_by is null) = (accepted_at is null)),
  check ((revoked_by is null) = (revoked_at is null)),
  check (accepted_at is null or revoked_at is null)
);
-- WHY unique: a secret is looked up by its id before the org is known.
create unique index invitation_by_id on invitation (invitation_id);
create index invitation_by_time on invitation (org_id, created_at, invitation_id);

-- Accounts of pipelines.
create table service_account (
  org_id text collate "C" not null references org,
  service_account_id text collate "C" not null,
  name text collate "C" not null,
  privilege text not null check (privilege in ('admin', 'member', 'snapshotter', 'reader', 'none')),
  description text not null,
  creating_user_id text collate "C" not null,
  created_at int8 not null,
  primary key (org_id, service_account_id),
  unique (org_id, name)
);

-- Keys of people and of service accounts. `digest` is what is kept of the secret, `scope` what the key leaves of its
-- owner's access; null leaves all. `emergency` marks keys of admins for emergencies.
create table api_key (
  key_id text collate "C" primary key,
  user_id text collate "C" references app_user,
  account_org_id text collate "C",
  service_account_id text collate "C",
  description text not null,
  digest text collate "C" not null,
  created_at int8 not null,
  expires_at int8,
  revoked_at int8,
  grace_period_expires_at int8,
  last_used_at int8,
  scope jsonb,
  emergency boolean not null default false,
  check ((user_id is null) <> (service_account_id is null)),
  check ((account_org_id is null) = (service_account_id is null)),
  foreign key (account_org_id, service_account_id) references service_account on delete cascade
) with (fillfactor = 80);
create index api_key_by_user on api_key (user_id);
create index api_key_by_account on api_key (account_org_id, service_account_id);
create index api_key_by_end
  on api_key (expires_at)
  where (service_account_id is not null) AND (revoked_at is null) AND (grace_period_expires_at is null);

-- Who people are: the subjects by which providers know them. An identity never moves to another person.
create table user_identity (
  provider_id text collate "C" not null,
  subject text collate "C" not null,
  issuer text collate "C" not null,
  user_id text collate "C" not null references app_user,
  linked_at int8 not null,
  primary key (provider_id, subject),
  unique (user_id, provider_id)
);

-- How people sign in to an org; an org without a row has the defaults.
create table sign_in_setting (
  org_id text collate "C" not null references org,
  settings jsonb not null,
  primary key (org_id)
);

-- Attempts to sign in with a provider, at most one alike for each minute.
create table sign_in (
  provider_id text collate "C" not null,
  outcome text collate "C" not null,
  user_id text collate "C",
  subject text collate "C",
  at int8 not null
);
create unique index sign_in_by_minute
  on sign_in (provider_id, outcome, coalesce(user_id, ''), coalesce(subject, ''), (at / 60000000));
create index sign_in_by_time on sign_in (at);
create index sign_in_by_user on sign_in (user_id, at);

-- Sessions of browsers: of a key, or of a person who signed in with a provider, whose identity ends them.
create table session (
  session_id text collate "C" primary key,
  key_id text collate "C" references api_key on delete cascade,
  digest text collate "C" not null,
  created_at int8 not null,
  expires_at int8 not null,
  user_id text collate "C",
  provider_id text collate "C",
  auth_time int8,
  acr text,
  -- Of a session that waits for a command line to claim it; it ends with the session that offers it.
  offered_by text collate "C" references session on delete cascade,
  challenge text,
  claim_until int8,
  check ((challenge is null) = (claim_until is null) and (challenge is null) = (offered_by is null)),
  check ((key_id is null) <> (user_id is null)),
  check ((user_id is null) = (provider_id is null)),
  foreign key (user_id, provider_id) references user_identity (user_id, provider_id) on delete cascade
);
create index session_by_end on session (expires_at);
create index session_by_key on session (key_id);
create index session_by_user on session (user_id, provider_id);
create index session_by_offer on session (offered_by) where offered_by is not null;

-- Requests that were denied, one row for each actor, operation and minute. The org may not exist.
create table denied_attempt (
  actor_id text collate "C" not null,
  operation text collate "C" not null,
  minute int8 not null,
  actor_kind text not null,
  actor_name text not null,
  key_id text collate "C" not null,
  org text collate "C" not null,
  at int8 not null,
  reason text,
  primary key (actor_id, operation, minute)
);
create index denied_attempt_by_time on denied_attempt (at);

-- Rules by which an id token of a pipeline is exchanged for a key of a service account.
create table identity_rule (
  org_id text collate "C" not null references org,
  service_account_id text collate "C" not null,
  rules jsonb not null,
  primary key (org_id, service_account_id),
  foreign key (org_id, service_account_id) references service_account on delete cascade
);

-- Id tokens that were exchanged, until they end: each is accepted once.
create table identity_token_use (
  org_id text collate "C" not null references org,
  token text collate "C" not null,
  ends_at int8 not null,
  primary key (org_id, token)
);
create index identity_token_use_by_end on identity_token_use (org_id, ends_at);

-- Signing keys of token issuers. Several orgs may trust one issuer, so issuers are global.
create table oidc_issuer (
  issuer text collate "C" primary key,
  keys jsonb not null,
  fetched_at int8,
  tried_at int8,
  wanted_at int8,
  error text
);

-- The service accounts whose rules name an issuer.
--
-- WHY apart from `identity_rule`: the worker that fetches keys belongs to no org and may not read the tables of orgs.
create table oidc_issuer_use (
  issuer text collate "C" not null,
  org_id text collate "C" not null,
  service_account_id text collate "C" not null,
  primary key (issuer, org_id, service_account_id),
  foreign key (org_id, service_account_id) references service_account on delete cascade
);
create index oidc_issuer_use_by_account on oidc_issuer_use (org_id, service_account_id);

-- Requests with an idempotency key, and their answers.
create table idempotency (
  org_id text collate "C" not null references org,
  request text collate "C" not null,
  token text collate "C" not null,
  content text collate "C" not null,
  outcome text not null check (outcome in ('Running', 'Answered', 'Withheld')),
  ends_at int8 not null,
  code int4,
  media_type text,
  answer text,
  entries text,
  primary key (org_id, request),
  check ((outcome = 'Answered') = ((code is not null) and (media_type is not null) and (answer is not null)))
);
create index idempotency_by_end on idempotency (ends_at);

-- The process that does a background job, and until when.
create table background_lease (
  name text collate "C" primary key,
  token int8 not null,
  until int8 not null
);

-- The server processes on this database; each writes its row every few seconds.
create table server_process (
  process_id text collate "C" primary key,
  release text not null,
  role text not null check (role in ('writer', 'reader')),
  -- The newest of each form that the process can read, by the name of the form.
  forms jsonb not null,
  started_at int8 not null,
  seen_at int8 not null
);
