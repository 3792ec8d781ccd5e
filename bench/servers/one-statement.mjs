/**
 * The limit of benchmark 7: one statement per report through `pg`, which writes the record, its link to the
 * commit and its journal entry. No HTTP, no validation, no evaluation. Reads `count connections` from its
 * input, line by line, and answers each when the statements are done.
 */
import { createHash } from "node:crypto"
import { createInterface } from "node:readline"
import pg from "pg"
import { artifactOf, attestationOf, trailName } from "../lib/evidence.mjs"

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 64 })
const kind = process.env.KIND
const { rows } = await pool.query("select org_id, flow_id from attestry.flow where name = $1", [
  "limit"
])
const [{ org_id: org, flow_id: flow }] = rows

const ARTIFACT = `with entry as (
    insert into attestry.journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id,
      actor_name, at, content, digest)
    values ($1, 'artifact_creation_reported', 'trail', $2, 'user', 'bench', 'bench', $3,
      convert_to($4, 'UTF8'), decode($5, 'hex')) returning sequence
  ), link as (
    insert into attestry.trail_commit (org_id, sha, ordinal, trail_id, branch)
    select org_id, $6, ordinal, trail_id, 'main' from attestry.trail where org_id = $1 and trail_id = $2
    on conflict (org_id, sha, ordinal) do nothing
  ) insert into attestry.artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot, fingerprint,
      git_commit, report, created_by, created_at)
    select $1, $7, $8, $2, sequence, 'service', $9, $6, $4::jsonb, 'bench', $3 from entry`

const ATTESTATION = `with entry as (
    insert into attestry.journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id,
      actor_name, at, content, digest)
    values ($1, 'trail_attestation_reported', 'trail', $2, 'user', 'bench', 'bench', $3,
      convert_to($4, 'UTF8'), decode($5, 'hex')) returning sequence
  ), link as (
    insert into attestry.trail_commit (org_id, sha, ordinal, trail_id, branch)
    select org_id, $6, ordinal, trail_id, 'main' from attestry.trail where org_id = $1 and trail_id = $2
    on conflict (org_id, sha, ordinal) do nothing
  ) insert into attestry.attestation (org_id, attestation_id, flow_id, trail_id, sequence, name, type,
      is_compliant, is_override, slots, git_commit, digest, body, attachments, created_by, created_at)
    select $1, $7, $8, $2, sequence, 'check', 'generic', true, false, '{}', $6, $5, $4::jsonb, '[]',
      'bench', $3 from entry`

let next = 0
const once = (index) => {
  const body = kind === "artifact" ? artifactOf(trailName(index), index) : attestationOf(index)
  const content = JSON.stringify(body)
  const digest = createHash("sha256").update(content).digest("hex")
  const values = [
    org,
    `limit-${index}`,
    1_700_000_000_000_000 + index,
    content,
    digest,
    body.git_commit_info.sha1,
    `limit-${kind}-${index}`,
    flow
  ]
  return kind === "artifact"
    ? pool.query({ name: "artifact", text: ARTIFACT, values: [...values, body.fingerprint] })
    : pool.query({ name: "attestation", text: ATTESTATION, values })
}

const work = async (count, connections) => {
  let left = count
  const worker = async () => {
    while (left-- > 0) await once(next++)
  }
  await Promise.all(Array.from({ length: connections }, worker))
}

process.stdout.write("ready to write\n")
for await (const line of createInterface({ input: process.stdin })) {
  const [count, connections] = line.split(" ").map(Number)
  await work(count, connections)
  process.stdout.write(`done ${line}\n`)
}
