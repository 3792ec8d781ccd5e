-- Accepted evidence documents, their attestations, and the subjects by which they find artifacts. The bytes of files are
-- attachments.

-- Documents of files by their places in the file, as they were read and verified at acceptance.
create table evidence_document (
  org_id text collate "C" not null references org,
  digest text collate "C" not null,
  position int4 not null,
  kind text collate "C" not null,
  predicate_type text collate "C",
  state text collate "C" not null,
  verification jsonb not null,
  flows jsonb,
  facts jsonb not null,
  subjects jsonb not null,
  reader text not null,
  size int8 not null,
  filename text not null,
  accepted_by text not null,
  accepted_at int8 not null,
  sequence int8 not null,
  primary key (org_id, digest, position)
);
create index evidence_document_by_kind on evidence_document (org_id, kind, sequence);
create index evidence_document_by_org on evidence_document (org_id, sequence);

-- Subjects of documents that were accepted by their subjects, with the outcome for artifacts that are reported later.
create table evidence_subject (
  org_id text collate "C" not null,
  fingerprint text collate "C" not null,
  digest text collate "C" not null,
  position int4 not null,
  name text collate "C" not null,
  type_name text collate "C",
  type_version int4,
  is_compliant boolean not null,
  is_compliant_elsewhere boolean not null,
  after_vex jsonb,
  primary key (org_id, fingerprint, digest, position, name),
  foreign key (org_id, digest, position) references evidence_document
);
create index evidence_subject_by_document on evidence_subject (org_id, digest, position);

-- The attestations that were made for documents.
create table evidence_link (
  org_id text collate "C" not null,
  digest text collate "C" not null,
  position int4 not null,
  attestation_id text collate "C" not null,
  primary key (org_id, digest, position, attestation_id),
  foreign key (org_id, digest, position) references evidence_document,
  foreign key (org_id, attestation_id) references attestation
);
create index evidence_link_by_attestation on evidence_link (org_id, attestation_id);

-- The statements of VEX documents, one row for each product and component. Texts are at most 256 and 1,024 characters, so
-- that they fit into an index.
create table vex_statement (
  org_id text collate "C" not null,
  digest text collate "C" not null,
  position int4 not null,
  ordinal int4 not null,
  vulnerability text collate "C" not null,
  product text collate "C" not null,
  component text collate "C",
  status text collate "C" not null,
  justification text,
  at float8,
  trusted boolean not null,
  flows jsonb,
  sequence int8 not null,
  primary key (org_id, digest, position, ordinal),
  foreign key (org_id, digest, position) references evidence_document
);
create index vex_statement_trusted on vex_statement (org_id, vulnerability, product) where trusted;
