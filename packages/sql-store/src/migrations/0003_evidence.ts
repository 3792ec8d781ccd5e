/** Flows, trails, artifacts and attestations. What a client said is kept as one JSON value next to the keys. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect } from "./internal/TenantTable.js"

/** Flows, with the names they had and the templates they have. */
const flows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table flow (
    org_id text collate "C" not null references org,
    flow_id text collate "C" not null,
    name text collate "C" not null,
    description text not null,
    visibility text not null check (visibility in ('public', 'private')),
    template text not null,
    template_id text collate "C" not null,
    tags jsonb not null,
    archived_at int8,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, flow_id),
    unique (org_id, name)
  )`
  yield* protect(sql, "flow", "select, insert, update")
  yield* sql`create table flow_former_name (
    org_id text collate "C" not null,
    name text collate "C" not null,
    flow_id text collate "C" not null,
    primary key (org_id, name),
    foreign key (org_id, flow_id) references flow
  )`
  yield* protect(sql, "flow_former_name", "select, insert, update, delete")
  yield* sql`create table template_version (
    org_id text collate "C" not null references org,
    template_id text collate "C" not null,
    content text not null,
    created_at int8 not null,
    primary key (org_id, template_id)
  )`
  yield* protect(sql, "template_version", "select, insert")
})

/** Trails, and the commits that they report. */
const trails = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table trail (
    org_id text collate "C" not null,
    trail_id text collate "C" not null,
    flow_id text collate "C" not null,
    name text collate "C" not null,
    details jsonb not null,
    template text,
    template_id text collate "C",
    repo_ids text[] not null,
    ordinal int8 not null generated always as identity,
    created_by text not null,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, trail_id),
    unique (org_id, flow_id, name),
    foreign key (org_id, flow_id) references flow
  )`
  yield* sql`create index trail_by_age on trail (org_id, ordinal)`
  yield* sql`create index trail_by_flow on trail (org_id, flow_id, ordinal)`
  yield* protect(sql, "trail", "select, insert, update")
  yield* sql`create table trail_commit (
    org_id text collate "C" not null,
    sha text collate "C" not null,
    ordinal int8 not null,
    trail_id text collate "C" not null,
    branch text not null,
    primary key (org_id, sha, ordinal),
    foreign key (org_id, trail_id) references trail
  )`
  // WHY beside the key, which begins alike: equal entries share one key here, and counting reads a tenth.
  yield* sql`create index trail_commit_count on trail_commit (org_id, sha)`
  yield* protect(sql, "trail_commit", "select, insert, update")
})

/** Artifact records. */
const artifacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table artifact (
    org_id text collate "C" not null,
    artifact_id text collate "C" not null,
    flow_id text collate "C" not null,
    trail_id text collate "C" not null,
    sequence int8 not null,
    slot text collate "C" not null,
    fingerprint text collate "C" not null,
    git_commit text collate "C",
    report jsonb not null,
    repo_id text collate "C",
    created_by text not null,
    created_at int8 not null,
    primary key (org_id, artifact_id),
    foreign key (org_id, trail_id) references trail
  )`
  // INVARIANT: hexadecimal text sorts by code unit, so a prefix is the range up to its next letter `g`.
  yield* sql`create index artifact_by_content on artifact (org_id, fingerprint, flow_id, sequence)`
  yield* sql`create index artifact_by_commit on artifact (org_id, git_commit, sequence)`
  yield* sql`create index artifact_by_flow on artifact (org_id, flow_id, sequence)`
  yield* sql`create index artifact_by_org on artifact (org_id, sequence)`
  // WHY last, and no wider: while a table has no statistics, indexes of about one width seem to cost the same,
  // and PostgreSQL takes the youngest. A plan that is kept from then must not read all records of the org.
  yield* sql`create index artifact_by_trail on artifact (org_id, trail_id, sequence)`
  yield* protect(sql, "artifact", "select, insert")
})

/** Repositories that reports named. */
const repos = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table repo (
    org_id text collate "C" not null references org,
    internal_id text collate "C" not null,
    repo_id text collate "C" not null,
    name text collate "C" not null,
    url text not null,
    provider text collate "C" not null,
    description text,
    namespace_path jsonb,
    additional_info jsonb,
    tags jsonb not null,
    latest_activity_at int8 not null,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, internal_id),
    unique (org_id, provider, repo_id)
  )`
  yield* sql`create index repo_by_name on repo (org_id, name, internal_id)`
  yield* protect(sql, "repo", "select, insert, update")
})

/** Custom attestation types. */
const attestationTypes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // WHY json: schemas are shown as they were given, keys in order, and only read whole.
  yield* sql`create table attestation_type (
    org_id text collate "C" not null references org,
    name text collate "C" not null,
    description text,
    archived boolean not null,
    versions json not null,
    created_by text not null,
    created_at int8 not null,
    last_modified_at int8 not null,
    primary key (org_id, name)
  )`
  yield* protect(sql, "attestation_type", "select, insert, update")
})

/** Attestations. */
const attestations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table attestation (
    org_id text collate "C" not null,
    attestation_id text collate "C" not null,
    flow_id text collate "C" not null,
    trail_id text collate "C" not null,
    sequence int8 not null,
    name text collate "C" not null,
    type text collate "C" not null,
    is_compliant boolean not null,
    is_override boolean not null,
    fingerprint text collate "C",
    slots text[] not null,
    git_commit text collate "C",
    digest text collate "C" not null,
    body jsonb not null,
    attachments jsonb not null,
    created_by text not null,
    created_at int8 not null,
    primary key (org_id, attestation_id),
    foreign key (org_id, trail_id) references trail
  )`
  yield* sql`create index attestation_by_org on attestation (org_id, sequence)`
  // WHY last: as with artifacts.
  yield* sql`create index attestation_by_trail on attestation (org_id, trail_id, sequence)`
  yield* protect(sql, "attestation", "select, insert")
})

/** The contents of files. */
const attachments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table attachment (
    org_id text collate "C" not null references org,
    fingerprint text collate "C" not null,
    primary key (org_id, fingerprint)
  )`
  yield* protect(sql, "attachment", "select, insert")
  yield* sql`create table attachment_chunk (
    org_id text collate "C" not null,
    fingerprint text collate "C" not null,
    index int4 not null,
    content bytea not null,
    primary key (org_id, fingerprint, index),
    foreign key (org_id, fingerprint) references attachment
  )`
  // WHY: evidence is mostly compressed already, and pieces are always read whole.
  yield* sql`alter table attachment_chunk alter column content set storage external`
  yield* protect(sql, "attachment_chunk", "select, insert")
})

/** What each trail comes to. */
const evaluations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // WHY json: the order of slots and of entries is part of what is shown, and only read whole.
  yield* sql`create table trail_evaluation (
    org_id text collate "C" not null,
    trail_id text collate "C" not null,
    flow_id text collate "C" not null,
    template_id text collate "C" not null,
    evaluated_at int8 not null,
    status text collate "C" not null,
    trail_status json not null,
    record_statuses json not null,
    primary key (org_id, trail_id),
    foreign key (org_id, trail_id) references trail
  ) with (fillfactor = 80)`
  yield* sql`create index trail_evaluation_by_flow
    on trail_evaluation (org_id, flow_id, evaluated_at)`
  yield* protect(sql, "trail_evaluation", "select, insert, update")
})

/** Approvals, numbered in each flow. */
const approvals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table approval (
    org_id text collate "C" not null,
    flow_id text collate "C" not null,
    approval_id text collate "C" not null,
    number int4 not null,
    state text collate "C" not null,
    request jsonb not null,
    created_by text not null,
    created_at int8 not null,
    primary key (org_id, flow_id, number),
    foreign key (org_id, flow_id) references flow
  )`
  yield* protect(sql, "approval", "select, insert")
})

/** Flows, repositories, trails, artifacts and attestations. */
export const evidence = Effect.all(
  [
    flows,
    repos,
    trails,
    artifacts,
    attestationTypes,
    attestations,
    attachments,
    evaluations,
    approvals
  ],
  { discard: true }
)
