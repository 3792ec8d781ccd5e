-- The journal: every accepted change, in the order of its number. The application may add entries and read them.

create sequence journal_sequence as int8;

-- One entry for each change.
create table journal (
  org_id text collate "C" not null references org,
  sequence int8 not null default nextval('journal_sequence'),
  kind text not null,
  subject_type text not null,
  subject_id text collate "C" not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  at int8 not null,
  content bytea not null,
  digest bytea not null,
  actor_credential text,
  actor_break_glass int4,
  primary key (org_id, sequence)
);
-- Which orgs have written since a number, for the sweep of logs. Numbers rise, so that an entry is added at its end.
create index journal_by_number on journal (sequence);
create index journal_by_subject on journal (org_id, subject_type, subject_id, sequence);
