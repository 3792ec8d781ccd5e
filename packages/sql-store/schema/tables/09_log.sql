-- The transparency logs of orgs.
--
-- No table refers to the journal by a foreign key: checking it would lock rows of the journal.

-- A Merkle tree for each epoch of a log.
create table log_tree (
  org_id text collate "C" not null references org,
  epoch int4 not null,
  origin text not null,
  entry_key bytea not null check (octet_length(entry_key) = 16),
  size int8 not null default 0,
  edge bytea not null default '',
  horizon int8 not null default 0,
  done int8[] not null default '{}',
  primary key (org_id, epoch)
);

-- Leaves, with the salts of their entries. `disclosures` is what is left of the salts after an erasure.
create table log_leaf (
  org_id text collate "C" not null,
  epoch int4 not null,
  leaf_index int8 not null,
  sequence int8 not null,
  prev int8,
  hash bytea not null check (octet_length(hash) = 32),
  salt bytea check (octet_length(salt) = 32),
  disclosures jsonb,
  primary key (org_id, epoch, leaf_index),
  unique (org_id, sequence)
);

-- Nodes above full tiles.
create table log_node (
  org_id text collate "C" not null,
  epoch int4 not null,
  level int2 not null check (level >= 1),
  node_index int8 not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (org_id, epoch, level, node_index)
);

-- Signed checkpoints.
create table log_checkpoint (
  org_id text collate "C" not null,
  epoch int4 not null,
  size int8 not null,
  signed_at int8 not null,
  note text not null,
  max_at int8,
  primary key (org_id, epoch, size)
);

-- Public keys that have signed a log, retired ones included.
create table log_key (
  org_id text collate "C" not null references org,
  vkey text not null,
  generation int4 not null,
  first_size int8 not null,
  retired_at int8,
  primary key (org_id, vkey)
);

-- Signatures of witnesses on checkpoints.
create table log_cosignature (
  org_id text collate "C" not null,
  epoch int4 not null,
  size int8 not null,
  witness text collate "C" not null,
  key_id text collate "C" not null,
  line text not null,
  at int8 not null,
  primary key (org_id, epoch, key_id, size)
);
create index log_cosignature_by_size on log_cosignature (org_id, epoch, size);

-- Logs of others that this server has cosigned. They belong to no org.
create table witness_log (
  origin text collate "C" primary key,
  size int8 not null,
  root text not null,
  note text not null
);

-- How far the background check has verified each log.
create table log_scrub (
  org_id text collate "C" primary key references org,
  through int8,
  finished_at int8 not null,
  findings int4 not null
);

-- Logs that may be read without a key.
create table public_log (
  org_id text collate "C" primary key references org
);

-- Leaves whose journal number is lower than that of an earlier leaf of the same subject.
create table log_late (
  org_id text collate "C" not null,
  epoch int4 not null,
  subject_type text collate "C" not null,
  subject_id text collate "C" not null,
  leaf_index int8 not null,
  primary key (org_id, subject_type, subject_id, epoch, leaf_index)
);
