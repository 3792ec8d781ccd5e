/**
 * The audit capsule: one ZIP file from which a stranger recomputes every verdict in it, without a network. Its members,
 * their schemas and its limits. SPEC §4.35
 *
 * `capsule.json` names every other member with its digest, and `statement.dsse.json` signs `capsule.json`.
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { FlowId } from "../shared/Identifier.js"
import { Verdict } from "../shared/Verdict.js"
import { RowDecision } from "../snapshot/RowDecision.js"
import { CapsuleEvidence } from "./CapsuleLimits.js"
import { ReleaseQuestion, ReleaseTable } from "./CapsuleReleases.js"

/** The version of the format. */
export const VERSION = 1

/** The type of the predicate that a capsule's statement has. */
export const PREDICATE_TYPE = "urn:attestry:capsule:1"

/** The names of the members, besides the files. */
export const MEMBERS = {
  manifest: "capsule.json",
  statement: "statement.dsse.json",
  checkpoint: "checkpoint",
  keys: "keys.json",
  witnesses: "witness-policy",
  entries: "entries.jsonl",
  proof: "proof.json",
  expected: "expected.json",
  roots: "trust-roots.json",
  page: "verify.html"
} as const

/** The folder of files, which are named by their SHA-256. */
export const FILES = "blobs/sha256/"

const Index = Schema.Int.pipe(Schema.nonNegative())
const Sha256 = Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/))

/** The snapshots of an environment that a capsule is about. */
export const SelectedEnvironment = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  from: Index,
  to: Index
})
/** The snapshots of an environment that a capsule is about. */
export type SelectedEnvironment = typeof SelectedEnvironment.Type

/** What a capsule is about. */
export const Selection = Schema.Struct({
  environments: Schema.Array(SelectedEnvironment),
  trails: Schema.Array(
    Schema.Struct({ id: Schema.String, flow_name: Schema.String, trail_name: Schema.String })
  ),
  fingerprints: Schema.Array(Sha256),
  /** The releases of a period; their snapshots are among those of `environments`. */
  releases: Schema.optionalWith(ReleaseQuestion, { exact: true }),
  evidence: CapsuleEvidence
})
/** What a capsule is about. */
export type Selection = typeof Selection.Type

/** A member: the digest and the size of its content, and the digest of its bytes in the file. */
export const Member = Schema.Struct({
  name: Schema.String,
  sha256: Sha256,
  size: Index,
  packed: Sha256
})
/** A member. */
export type Member = typeof Member.Type

/** The content of `capsule.json`. */
export const Manifest = Schema.Struct({
  version: Schema.Literal(VERSION),
  org: Schema.String,
  origin: Schema.String,
  size: Index,
  /** In epoch microseconds. */
  made_at: Index,
  evaluator: Schema.Int,
  selection: Selection,
  counts: Schema.Struct({ entries: Index, files: Index }),
  members: Schema.Array(Member)
})
/** The content of `capsule.json`. */
export type Manifest = typeof Manifest.Type

/** The content of `proof.json`: the hashes that prove all entries in the tree of a size, in Base64. */
export const Proof = Schema.Struct({ size: Index, hashes: Schema.Array(Schema.String) })
/** The content of `proof.json`. */
export type Proof = typeof Proof.Type

/** The content of `trust-roots.json`: by what documents of evidence were verified when they were accepted. */
export const TrustRoots = Schema.Struct({
  /** The versions of the trust policy of the org; `at` in epoch microseconds. */
  policies: Schema.Array(Schema.Struct({ version: Schema.Int, at: Index, text: Schema.String })),
  /** The trust roots of the deployment that verifications name, as files of Sigstore. */
  roots: Schema.Array(Schema.Struct({ name: Schema.String, text: Schema.String }))
})
/** The content of `trust-roots.json`. */
export type TrustRoots = typeof TrustRoots.Type

/** The newest entry of a subject: each entry names the one before, so that none can be left out. */
export const ChainHead = Schema.Struct({
  subject: Schema.Struct({ type: Schema.String, id: Schema.String }),
  index: Index
})
/** The newest entry of a subject. */
export type ChainHead = typeof ChainHead.Type

/** The members of a row that verification reads; its digest is of all members. */
export const ExpectedRow = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  verdict: Verdict,
  decisions: Schema.Array(RowDecision),
  flows: Schema.Array(
    Schema.Struct({
      flow_id: FlowId,
      trail_name: Schema.String,
      git_commit: Schema.NullOr(Schema.String),
      commit_url: Schema.NullOr(Schema.String)
    })
  )
})
/** The members of a row that verification reads. */
export type ExpectedRow = typeof ExpectedRow.Type

/** The changes of rows from one snapshot to the next. */
export const ExpectedSnapshot = Schema.Struct({
  index: Index,
  begun: Schema.Array(Schema.Unknown),
  ended: Schema.Array(Schema.Struct({ name: Schema.String, fingerprint: Schema.String })),
  /** The indexes of earlier entries that the evaluation did not see, because they were written at the same time. */
  unseen: Schema.Array(Index)
})
/** The changes of rows from one snapshot to the next. */
export type ExpectedSnapshot = typeof ExpectedSnapshot.Type

/** The content of `expected.json`: the answers that were given. */
export const Expected = Schema.Struct({
  environments: Schema.Array(
    Schema.Struct({ id: Schema.String, snapshots: Schema.Array(ExpectedSnapshot) })
  ),
  trails: Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.NullOr(Schema.String) })),
  artifacts: Schema.Array(Schema.Struct({ fingerprint: Sha256, flows: Schema.Unknown })),
  /** The trails to which each artifact was reported. */
  reported: Schema.Array(
    Schema.Struct({ fingerprint: Sha256, trails: Schema.Array(Schema.String) })
  ),
  releases: Schema.optionalWith(ReleaseTable, { exact: true }),
  chains: Schema.Array(ChainHead)
})
/** The content of `expected.json`. */
export type Expected = typeof Expected.Type
