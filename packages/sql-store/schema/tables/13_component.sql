-- The index of components. All of it follows from the bytes of accepted evidence files, and nothing of it changes.

create sequence component_sequence as int4;
create sequence component_set_sequence as int4;

-- Components with a purl; ids are those of one sequence for all orgs.
create table component (
  org_id text collate "C" not null references org,
  component_id int4 not null default nextval('component_sequence'),
  type text collate "C" not null,
  name text collate "C" not null,
  version text collate "C",
  purl text collate "C" not null,
  primary key (org_id, component_id),
  unique (org_id, purl)
);
create index component_by_name on component (org_id, name, type, purl);

-- The components that documents list. Bills of materials have the digest of their purls, because many have the same
-- components; a document of provenance has a set of its own.
create table component_set (
  org_id text collate "C" not null references org,
  set_id int4 not null default nextval('component_set_sequence'),
  digest text collate "C" not null,
  components int4[] not null,
  primary key (org_id, set_id),
  unique (org_id, digest)
);

-- The sets of each component. WHY rows, and no GIN index of the sets: behind row-level security PostgreSQL uses an index
-- only for operators that are leakproof, and those of arrays are not. WHY no foreign keys: one statement adds thousands.
create table component_use (
  org_id text collate "C" not null,
  component_id int4 not null,
  set_id int4 not null,
  primary key (org_id, component_id, set_id)
);

-- Documents that list components of artifacts: bills of materials, and provenance that names images.
create table component_listing (
  org_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('sbom', 'provenance')),
  set_id int4 not null,
  fingerprint text collate "C" not null,
  attestation_id text collate "C" not null,
  sequence int8 not null,
  primary key (org_id, set_id, fingerprint, attestation_id),
  foreign key (org_id, set_id) references component_set,
  foreign key (org_id, attestation_id) references attestation
);
create index component_listing_by_artifact on component_listing (org_id, fingerprint, sequence);

-- Components that accepted evidence names with a vulnerability.
create table vulnerable_component (
  org_id text collate "C" not null,
  vulnerability text collate "C" not null,
  component_id int4 not null,
  severity text collate "C" not null,
  digest text collate "C" not null,
  sequence int8 not null,
  primary key (org_id, vulnerability, component_id),
  foreign key (org_id, component_id) references component
);
